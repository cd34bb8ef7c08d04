// Runs `dockerd` while clients are connected, and ends it with all its containers after the last one.
// `node keeper.ts <folder>`; started by `openEngine`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { engineName } from "./engine.ts";
import { removeLeftovers } from "./leftovers.ts";

/** Between two test files there is a moment without a client. */
const LINGER_MS = 3000;
const POLL_MS = 50;
const START_TIMEOUT_MS = 50_000;

const folder = process.argv[2] ?? "";
const socketPath = join(folder, "docker.sock");
const logPath = join(folder, "dockerd.log");
const groupName = engineName(folder);
const groupFolder = join("/sys/fs/cgroup/cpu", groupName);
const users = new Set<Socket>();
let outcome: string | undefined;

const server = createServer((user) => {
  users.add(user);
  user.on("error", () => {});
  user.on("close", () => {
    users.delete(user);
    if (users.size === 0) setTimeout(endIfUnused, LINGER_MS);
  });
  user.resume();
  if (outcome !== undefined) user.write(`${outcome}\n`);
});
// Another keeper is there already.
server.on("error", () => process.exit(0));
server.listen(`\0${engineName(folder)}`, () => void serve());

let daemon: ChildProcess | undefined;

async function serve(): Promise<void> {
  // The daemon of a keeper before this one may still be on its way out.
  while ((await isAnswered(socketPath)) || (await isDaemonAlive())) await sleep(POLL_MS);
  removeLeftovers(folder);
  daemon = await startDaemon();
  const until = performance.now() + START_TIMEOUT_MS;
  while (daemon.exitCode === null && performance.now() < until && !(await isAnswered(socketPath)))
    await sleep(POLL_MS);
  outcome = (await isAnswered(socketPath)) ? "ready" : await lastWords();
  for (const user of users) user.write(`${outcome}\n`);
  if (users.size === 0) setTimeout(endIfUnused, LINGER_MS);
  daemon.once("exit", () => process.exit(0));
}

function endIfUnused(): void {
  if (users.size > 0 || outcome === undefined) return;
  server.close();
  // It ends its containers first; none of ours waits for anything.
  daemon?.kill("SIGTERM");
}

async function startDaemon(): Promise<ChildProcess> {
  await rm(socketPath, { force: true });
  const runsc = ["/usr/bin/runsc", "/usr/local/bin/runsc"].find((path) => existsSync(path));
  const runtimeArgs = ["--platform=ptrace", "--network=none", "--host-uds=create"];
  const config = { runtimes: runsc ? { runsc: { path: runsc, runtimeArgs } } : {}, "shutdown-timeout": 5 };
  await writeFile(join(folder, "daemon.json"), JSON.stringify(config));
  const log = openSync(logPath, "w", 0o600);
  const places = [
    "--host",
    `unix://${socketPath}`,
    "--data-root",
    join(folder, "data"),
    "--exec-root",
    join(folder, "exec"),
  ];
  const files = ["--config-file", join(folder, "daemon.json"), "--pidfile", join(folder, "docker.pid")];
  // It gives no container a network, so it need not change the host's.
  const network = ["--bridge", "none", "--iptables=false", "--ip6tables=false", "--ip-forward=false"];
  const group = await makeGroup();
  // Should this process be killed, so is the daemon.
  const started = spawn(
    "setpriv",
    ["--pdeathsig", "TERM", "dockerd", ...places, ...files, ...network, ...group],
    {
      env: { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin` },
      stdio: ["ignore", log, log],
    },
  );
  closeSync(log);
  started.on("exit", () => removeLeftovers(folder));
  return started;
}

/**
 * All containers together weigh as much as the machine has processors, not as one process. Where control groups are
 * others (v2), they are left to the daemon.
 */
async function makeGroup(): Promise<string[]> {
  try {
    await mkdir(groupFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await writeFile(join(groupFolder, "cpu.shares"), String(1024 * availableParallelism()));
    return ["--cgroup-parent", groupName];
  } catch {
    return [];
  }
}

/** It does not answer while it ends its containers. */
async function isDaemonAlive(): Promise<boolean> {
  const pid = await readFile(join(folder, "docker.pid"), "utf8").catch(() => "");
  const command = await readFile(`/proc/${pid.trim() || "none"}/cmdline`, "utf8").catch(() => "");
  return command.includes(`${folder}/`);
}

async function isAnswered(path: string): Promise<boolean> {
  const socket = connect(path);
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function lastWords(): Promise<string> {
  const lines = (await readFile(logPath, "utf8").catch(() => "")).trim().split("\n");
  return (
    lines.findLast((line) => /level=(error|fatal)|failed/.test(line)) ?? lines.at(-1) ?? "no word from it"
  );
}
