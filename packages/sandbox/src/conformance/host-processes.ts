import { readdir, readFile } from "node:fs/promises";

/** Processes of this host whose command line holds the text, whatever namespace they are in. Empty where there is no /proc. */
export async function findOnHost(text: string): Promise<number[]> {
  const found = await Promise.all(
    (await pids()).map(async (pid) => ((await read(`/proc/${pid}/cmdline`)).includes(text) ? [pid] : [])),
  );
  return found.flat();
}

/** The nearest ancestor that is number 1 of its pid namespace: the sandbox's own first process. */
export async function findFirstOf(pid: number): Promise<number | undefined> {
  for (let current = pid; current > 1;) {
    const status = await read(`/proc/${current}/status`);
    const numbers = /^NSpid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/) ?? [];
    if (numbers.length > 1 && numbers.at(-1) === "1") return current;
    current = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
  }
  return undefined;
}

export async function findAncestor(pid: number, name: string): Promise<number | undefined> {
  for (let current = pid; current > 1;) {
    const status = await read(`/proc/${current}/status`);
    if (/^Name:\s*(.*)$/m.exec(status)?.[1] === name) return current;
    current = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
  }
  return undefined;
}

async function pids(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.map(Number).filter((pid) => pid > 0);
}

/** A process may end at any moment. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
