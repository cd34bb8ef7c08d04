import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Missing } from "../measure.ts";
import { progress } from "../progress.ts";

const startTimeoutMs = 60_000;
const pollMs = 100;

export interface Engine {
  readonly version: string;
  /** The environment in which the `docker` client finds it. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends it if it is ours. */
  close(): Promise<void>;
}

/** The engine of this machine; without one, as root, an engine of the bench's own that touches no other. */
export async function openEngine(signal: AbortSignal): Promise<Engine | Missing> {
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin` };
  const version = await askVersion(env);
  if (version !== undefined) return { version, env, close: async () => {} };
  if (process.getuid?.() !== 0) return { missing: "no Docker engine runs, and only root can start one" };
  const isInstalled = await promisify(execFile)("dockerd", ["--version"], { env }).then(
    () => true,
    () => false,
  );
  if (!isInstalled)
    return { missing: "no Docker engine runs, and dockerd is not installed (apt-get install docker.io)" };
  return startEngine(env, signal);
}

/** Keeps its images in the cache, so that the next run finds them. */
async function startEngine(baseEnv: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Engine | Missing> {
  const folder = engineFolder();
  const socket = join(folder, "docker.sock");
  const logPath = join(folder, "dockerd.log");
  const env = { ...baseEnv, DOCKER_HOST: `unix://${socket}` };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (await canConnect(socket)) return { missing: `another bench uses the engine at ${socket}` };
  progress.note(`docker: starting an engine of our own in ${folder}`);
  const log = openSync(logPath, "w", 0o600);
  const places = [
    "--host",
    env.DOCKER_HOST,
    "--data-root",
    join(folder, "data"),
    "--exec-root",
    join(folder, "exec"),
  ];
  const daemon = spawn(
    "dockerd",
    // It gives no container a network, so it need not change the host's.
    [
      ...places,
      "--pidfile",
      join(folder, "docker.pid"),
      "--storage-driver",
      "overlay2",
      "--bridge",
      "none",
      "--iptables=false",
      "--ip6tables=false",
      "--ip-forward=false",
    ],
    // Ctrl-C in the terminal is for the bench, which then ends this one in order.
    { env, stdio: ["ignore", log, log], detached: true },
  );
  closeSync(log);
  const close = () => endDaemon(daemon);
  try {
    await waitForSocket(daemon, socket, signal);
    const version = await askVersion(env);
    if (version !== undefined) return { version, env, close };
    await close();
  } catch (error) {
    await close();
    throw error;
  }
  return { missing: `dockerd did not start: ${await lastWords(logPath)}` };
}

export function engineFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "atoll/docker");
}

async function askVersion(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("docker", ["info", "--format", "{{.ServerVersion}}"], {
      env,
    });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns at the latest when the daemon has ended or its time is up. */
async function waitForSocket(daemon: ChildProcess, socket: string, signal: AbortSignal): Promise<void> {
  const until = performance.now() + startTimeoutMs;
  while (daemon.exitCode === null && performance.now() < until && !(await canConnect(socket))) {
    await sleep(pollMs, undefined, { signal });
  }
}

async function canConnect(path: string): Promise<boolean> {
  const socket = connect(path);
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await ended;
}

async function lastWords(logPath: string): Promise<string> {
  const lines = (await readFile(logPath, "utf8").catch(() => "")).trim().split("\n");
  return lines.findLast((line) => /level=(error|fatal)|failed/.test(line)) ?? lines.at(-1) ?? "";
}
