import { readdir, readFile, readlink } from "node:fs/promises";

/** Processes of this host by the pid namespace they are in, as in `pid:[4026531836]`. Needs root to see others' processes. */
export async function groupByNamespace(): Promise<Map<string, number[]>> {
  const groups = new Map<string, number[]>();
  for (const pid of (await readdir("/proc")).map(Number).filter((pid) => pid > 0)) {
    const namespace = await readlink(`/proc/${pid}/ns/pid`).catch(() => undefined);
    if (namespace === undefined) continue;
    const group = groups.get(namespace) ?? [];
    group.push(pid);
    groups.set(namespace, group);
  }
  return groups;
}

/** Memory that ending the process would free: pages that it does not share. */
export async function privateMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const kilobytes = ["Private_Clean", "Private_Dirty"].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]),
  );
  return kilobytes.reduce((sum, part) => sum + part, 0) / 1024;
}

/** What new programs could use without swapping. */
export async function availableMb(): Promise<number> {
  const text = await readFile("/proc/meminfo", "utf8");
  return Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
}
