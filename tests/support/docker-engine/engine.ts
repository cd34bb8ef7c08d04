import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../../../scripts/images/docker-command.ts";

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface Engine {
  readonly version: string;
  /** What `DOCKER_HOST` has to be; undefined for the engine that answers without it. */
  readonly host: string | undefined;
  readonly runtimes: readonly string[];
  /** Releases it. Our own engine ends with its last user, also if that was killed. */
  close(): void;
}

export interface Missing {
  readonly missing: string;
}

/** The engine of this machine; without one, as root, an engine of our own that touches no other, shared by all who ask. */
export async function openEngine(): Promise<Engine | Missing> {
  const found = await inspect(undefined);
  if (found) return { ...found, host: undefined, close: () => {} };
  if (process.getuid?.() !== 0) return { missing: "no Docker engine runs, and only root can start one" };
  if ((await ask("dockerd", ["--version"])) === undefined)
    return { missing: "no Docker engine runs, and dockerd is not installed (apt-get install docker.io)" };
  const folder = engineFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const holding = await reachKeeper(folder);
  const host = `unix://${join(folder, "docker.sock")}`;
  const [answer] = (await once(holding, "data")) as [Buffer];
  const inspected = String(answer).trim() === "ready" ? await inspect(host) : undefined;
  if (!inspected) {
    holding.destroy();
    return { missing: `dockerd did not start: ${String(answer).trim()}` };
  }
  // For as long as this connection lives, so does the engine; it does not keep this process alive.
  holding.unref();
  return { ...inspected, host, close: () => void holding.destroy() };
}

/** Keeps its images there, so that the next run finds them. May be deleted at any time. */
function engineFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "atoll/docker");
}

export const ENGINE_NAME_PREFIX = "atoll-engine-";

/** Of the engine's control group and, as an abstract socket, of its keeper: that is gone when the keeper is. */
export function engineName(folder: string): string {
  return `${ENGINE_NAME_PREFIX}${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
}

async function reachKeeper(folder: string): Promise<Socket> {
  const until = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < until) {
    const socket = connect(`\0${engineName(folder)}`);
    if (await once(socket, "connect").then(...yesOrNo)) return socket;
    // Of several that are started at once, one becomes the keeper and the others end.
    spawn(process.execPath, [join(import.meta.dirname, "keeper.ts"), folder], {
      detached: true,
      stdio: "ignore",
    }).unref();
    for (let tries = 0; tries < 20; tries++) {
      await sleep(POLL_MS);
      const again = connect(`\0${engineName(folder)}`);
      if (await once(again, "connect").then(...yesOrNo)) return again;
    }
  }
  throw new Error("the keeper of the Docker engine does not start");
}

async function inspect(host: string | undefined): Promise<Pick<Engine, "version" | "runtimes"> | undefined> {
  const env = host === undefined ? process.env : { ...process.env, DOCKER_HOST: host };
  const answer = await ask(
    "docker",
    ["info", "--format", "{{.ServerVersion}} {{range $name, $_ := .Runtimes}}{{$name}} {{end}}"],
    env,
  );
  const [version, ...runtimes] = answer?.split(" ").filter(Boolean) ?? [];
  return version === undefined ? undefined : { version, runtimes };
}

const yesOrNo = [() => true, () => false] as const;
