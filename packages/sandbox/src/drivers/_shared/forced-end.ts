import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const lookEveryMs = 10;

/**
 * Ends a sandbox of this machine without its cooperation. The first process of its namespace is found by what it has as
 * its root, and killed: the kernel ends all others with it before it is gone. True when nothing of it is left.
 */
export async function endNamespace(workspace: string, { patienceMs = 10_000 } = {}): Promise<boolean> {
  const first = await findFirst(workspace);
  if (first === undefined) return false;
  const startedAt = await readStart(first);
  kill(first, "SIGKILL");
  return poll(async () => (await readStart(first)) !== startedAt, patienceMs);
}

/**
 * The same where there are no namespaces: the process named in the file, and all that descends from it. It adopts what
 * its descendants leave, so that none can get away from it while it lives.
 */
export async function endTree(pidFile: string, { patienceMs = 10_000 } = {}): Promise<boolean> {
  const [pid = 0, startedAt = ""] = (await read(pidFile))
    .trim()
    .split(" ")
    .map((word, at) => (at ? word : Number(word)));
  if (typeof pid !== "number" || !(pid > 1)) return false;
  if (process.platform === "linux" && (await readStart(pid)) !== startedAt) return false;
  // It starts nothing more.
  kill(pid, "SIGSTOP");
  const areGone = await poll(async () => {
    const left = await findDescendants(pid);
    for (const one of left) kill(one, "SIGKILL");
    return left.length === 0;
  }, patienceMs);
  kill(pid, "SIGKILL");
  return areGone;
}

async function findFirst(workspace: string): Promise<number | undefined> {
  const wanted = await identify(workspace);
  if (wanted === undefined) return undefined;
  // A look that was under way already may have missed one that had just started.
  return (await lookForFirsts()).get(wanted) ?? (await lookForFirsts()).get(wanted);
}

let looking: Promise<Map<string, number>> | undefined;

/** The first processes of all namespaces, by the folder that each has as its workspace. Concurrent callers share a look. */
function lookForFirsts(): Promise<Map<string, number>> {
  looking ??= findFirsts().finally(() => (looking = undefined));
  return looking;
}

async function findFirsts(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const pid of await listProcesses()) {
    const [, numbers = ""] = /^NSpid:(.*)$/m.exec(await read(`/proc/${pid}/status`)) ?? [];
    if (!/\d\s+1$/.test(numbers.trim())) continue;
    const workspace = await identify(`/proc/${pid}/root/workspace`);
    if (workspace !== undefined) found.set(workspace, pid);
  }
  return found;
}

/** The same for every path that leads to the folder. */
async function identify(folder: string): Promise<string | undefined> {
  const facts = await stat(folder).catch(() => undefined);
  return facts && `${facts.dev}:${facts.ino}`;
}

async function findDescendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const pid of await listProcesses()) {
    const fields = await readFields(pid);
    if (fields && fields[0] !== "Z") parents.set(pid, Number(fields[1]));
  }
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

async function listProcesses(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.map(Number).filter((pid) => pid > 1);
}

/** When it started, by which one is told from another of the same number; undefined once it has ended. */
async function readStart(pid: number): Promise<string | undefined> {
  const fields = await readFields(pid);
  return fields && fields[0] !== "Z" ? fields[19] : undefined;
}

/** Of `/proc/<pid>/stat`, after the name, which may hold anything. */
async function readFields(pid: number): Promise<string[] | undefined> {
  const text = await read(join("/proc", String(pid), "stat"));
  return text === "" ? undefined : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** A process may end at any moment. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function poll(isDone: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) return false;
    await wait(lookEveryMs);
  }
  return true;
}
