import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DataFolder } from "../../support/data-folder.ts";
import type { ServerProcess } from "../../support/server-process.ts";

/** What a fault does to a server under load. Gives the server that goes on: the same, or the next one. */
export type Fault = (parts: {
  folder: DataFolder;
  server: ServerProcess;
  start(): Promise<ServerProcess>;
}) => Promise<ServerProcess>;

export const faults: Readonly<Record<string, Fault>> = {
  "the server is killed": async ({ server, start }) => {
    await server.kill();
    return start();
  },
  "the zygote is killed": (parts) => signal(parts, "atoll-zygote", "SIGKILL"),
  "the warden is killed": (parts) => signal(parts, "atoll-warden", "SIGKILL"),
  "process 1 of a sandbox is killed": (parts) => signal(parts, "atoll-guest", "SIGKILL"),
  "a kernel is killed": (parts) => signal(parts, "atoll-kernel", "SIGKILL"),
  "process 1 of a sandbox sleeps": (parts) => signal(parts, "atoll-guest", "SIGSTOP"),
  "a kernel sleeps": (parts) => signal(parts, "atoll-kernel", "SIGSTOP"),
  "the server sleeps": async ({ server }) => {
    server.child.kill("SIGSTOP");
    await wait(400);
    server.child.kill("SIGCONT");
    return server;
  },
  "the server is told to end": async ({ server, start }) => {
    await server.stop();
    return start();
  },
  "the clock on the wall jumps": async ({ server }) => {
    server.child.kill("SIGUSR2");
    return server;
  },
  "the server is killed, and its alarms are garbage": async ({ folder, server, start }) => {
    await server.kill();
    await writeFile(join(folder.path, "lifecycle.db"), "garbage ".repeat(2000));
    return start();
  },
};

/** To one process of this name, any; one that sleeps is woken after a moment. */
async function signal(
  { folder, server }: Parameters<Fault>[0],
  name: string,
  sent: NodeJS.Signals,
): Promise<ServerProcess> {
  const pids = await folder.processes();
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")));
  const fitting = pids.filter((_, at) => names[at]?.trim() === name);
  const pid = fitting[Math.floor(Math.random() * fitting.length)];
  if (pid === undefined) return server;
  tryKill(pid, sent);
  if (sent === "SIGSTOP") {
    await wait(400);
    tryKill(pid, "SIGCONT");
  }
  return server;
}

/** It may have ended by itself. */
function tryKill(pid: number, sent: NodeJS.Signals): void {
  try {
    process.kill(pid, sent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
