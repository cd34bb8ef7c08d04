import { createHash } from "node:crypto";
import { lstat, rename, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AtollError } from "../../errors.ts";
import { GuestConnection } from "../../guest/wire/connection.ts";
import { readOwnFile } from "../_shared/host-files.ts";
import { digestGuest, guestFolder } from "../_shared/guest-folder.ts";
import { connectTo } from "../_shared/socket.ts";
import { nameSystem } from "../_shared/machine-name.ts";
import { containerSpec, guestFiles } from "./container-spec.ts";
import { type Engine, EngineError } from "./engine.ts";
import type { DockerLayout, Home } from "./container-folders.ts";
import type { Shape } from "./container-config.ts";
import { writeStatShim } from "./stat-shim.ts";

const startTimeoutMs = 120_000;
const lookEveryMs = 10;
const askEngineEveryMs = 1000;
const maxFailureBytes = 64 * 1024;
/** How long a parked container that nobody holds stays, so that the next program finds it. */
const defaultIdleS = 60;

/** A container that runs, with its guest waiting to become a sandbox. */
export interface Container {
  readonly name: string;
  readonly home: Home;
  readonly shape: Shape;
  /** Holds the guest, and becomes the sandbox's own connection. */
  readonly connection: GuestConnection;
  readonly memoryLimit: "cgroup" | "process";
}

let guestDigest: Promise<string> | undefined;

/** Of the guest's code as this process would mount it. */
export function currentGuest(): Promise<string> {
  guestDigest ??= digestGuest();
  return guestDigest;
}

/** Whose a container is, on an engine that others use too, also from other containers. */
export function ownerOf(layout: DockerLayout): string {
  return createHash("sha256").update(`${nameSystem()} ${layout.root}`).digest("hex").slice(0, 16);
}

/** Starts a container on a home's folders and waits for its guest. What does not start is removed again. */
export async function startContainer(
  engine: Engine,
  layout: DockerLayout,
  home: Home,
  shape: Shape,
): Promise<Container> {
  const name = `atoll-${basename(home.folder)}-${Date.now().toString(36)}`;
  const idleExitS = Number(process.env["ATOLL_POOL_IDLE_S"] ?? defaultIdleS);
  await home.prepare(shape.mode);
  await writeStatShim(home, shape);
  await home.writeNote({ name, shape, guest: await currentGuest(), maker: process.pid });
  const spec = containerSpec({
    shape,
    home,
    owner: layout.owner ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    idleExitS,
    guestFolder: join(guestFolder, "atoll_guest"),
    labels: {
      "dev.atoll.owner": ownerOf(layout),
      "dev.atoll.data": layout.root,
      "dev.atoll.maker": String(process.pid),
    },
  });
  await engine.create(name, spec);
  try {
    await engine.start(name);
    await waitForSocket(engine, name, home);
    return await holdContainer(home, name, shape);
  } catch (error) {
    await engine.remove(name).catch(() => {});
    // The engine found nothing to execute.
    if (error instanceof EngineError && error.status === 400)
      throw notStarted("its image has no python3", error);
    throw error;
  }
}

/** Joins a container whose guest waits. */
export async function holdContainer(home: Home, name: string, shape: Shape): Promise<Container> {
  const connection = new GuestConnection(await connectTo(home.socket));
  const { result } = await connection.call<{ memoryLimit: Container["memoryLimit"] }>("hold");
  return { name, home, shape, connection, memoryLimit: result.memoryLimit };
}

/** The guest makes its socket where it can; it is then moved to where nothing inside can see or replace it. */
async function waitForSocket(engine: Engine, name: string, home: Home): Promise<void> {
  const until = performance.now() + startTimeoutMs;
  let askAt = performance.now() + askEngineEveryMs;
  while (!(await unlink(home.path(`session/${guestFiles.ready}`)).then(...yesOrNo))) {
    const failure = await readFailure(home);
    if (failure !== undefined) throw notStarted(failure);
    if (performance.now() > until) throw notStarted(`no answer within ${startTimeoutMs} ms`);
    if (performance.now() > askAt) {
      if (!(await engine.isRunning(name)) && (await readFailure(home)) === undefined)
        throw notStarted(
          "the container ended by itself; its image may have no python3, or its memory limit is too low",
        );
      askAt = performance.now() + askEngineEveryMs;
    }
    await sleep(lookEveryMs);
  }
  await rename(home.path(`session/${guestFiles.socket}`), home.socket);
  if (!(await lstat(home.socket)).isSocket()) throw notStarted("its guest made no socket");
}

async function readFailure(home: Home): Promise<string | undefined> {
  const text = await readOwnFile(home.path(`session/${guestFiles.failure}`), maxFailureBytes);
  return text?.trim().split("\n").at(-1);
}

const yesOrNo = [() => true, () => false] as const;

function notStarted(reason: string, cause?: unknown): AtollError {
  return new AtollError("runtime_unavailable", `the sandbox's container did not start: ${reason}`, { cause });
}
