import type { Driver } from "../../contract/driver.ts";
import type { Capabilities, SandboxHandle } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { GuestSandbox } from "../../guest/sandbox.ts";
import { describeSandbox, settleOrDestroy } from "../_shared/creation.ts";
import { createEphemeral } from "../_shared/ephemeral.ts";
import { insideEnv, isolatedPaths } from "../_shared/inside-env.ts";
import { jailOwner } from "../local/requirements.ts";
import { checkCreateOptions, checkId, findDataDir, type SandboxSpec } from "../_shared/create-options.ts";
import {
  attachResident,
  type Create,
  greet,
  hostOf,
  listResidents,
  refuseIfAlive,
} from "../_shared/attach.ts";
import { withStartLock } from "../_shared/start-lock.ts";
import { type Container, startContainer } from "./container.ts";
import { Engine, findEngineSocket } from "./engine.ts";
import { DockerLayout } from "./container-folders.ts";
import { moveBack, moveIn } from "./join.ts";
import { Pool } from "./pool.ts";
import { defaultImage, wantedPreload, wantedRuntime, whyNoImage, whyUnavailable } from "./requirements.ts";
import { isSameLimits, type Shape, shapeOf } from "./container-config.ts";

const capabilities: Capabilities = {
  isolation: true,
  shell: true,
  pty: true,
  pause: true,
  snapshot: true,
  ports: true,
  ephemeral: true,
  attach: true,
  images: true,
  network: ["none", "allow", "all-public"],
  memoryLimit: "cgroup",
  diskLimit: "watched",
};

const pools = new Map<string, Pool>();
const engines = new Map<string, Engine>();

/** A container for each sandbox, on an engine of this machine: with Docker's own runtime, or another that it has. */
export const dockerDriver: Driver = {
  name: "docker",
  capabilities,
  unavailableBecause: whyUnavailable,
  async create(given) {
    const spec = checkCreateOptions(given, capabilities);
    const engine = await openEngine(spec.image);
    const create = (spec: SandboxSpec) => createSandbox(engine, spec);
    if (spec.mode === "ephemeral") return createEphemeral(spec, "docker", capabilities, create);
    return settleOrDestroy(create(spec), spec);
  },
  async attach(id, { dataDir, ...given } = {}) {
    const layout = layoutOf(findDataDir(dataDir));
    return attachResident(layout, checkId(id), createLike(layout, id, findDataDir(dataDir)), given);
  },
  list: async (given = {}) => listResidents(layoutOf(findDataDir(given.dataDir)), given.ids),
};

function layoutOf(dataDir: string): DockerLayout {
  return new DockerLayout(dataDir, jailOwner());
}

/** Asks an engine once whether it can run sandboxes; every image is asked for anew, since it may be removed. */
async function openEngine(image = defaultImage): Promise<Engine> {
  const socket = findEngineSocket();
  const key = `${socket} ${wantedRuntime()}`;
  const known = engines.get(key) ?? new Engine(socket);
  const reason = engines.has(key) ? undefined : await whyUnavailable();
  if (reason) throw new AtollError("runtime_unavailable", `the docker runtime cannot run here: ${reason}`);
  engines.set(key, known);
  if (image !== defaultImage) {
    const missing = await whyNoImage(known, image);
    if (missing) throw new AtollError("not_found", missing);
  }
  return known;
}

/** A copy is made of the same image. */
function createLike(layout: DockerLayout, id: string, dataDir: string): Create {
  return async (options) => {
    const image = (await layout.home(id).readNote())?.shape.image ?? defaultImage;
    return dockerDriver.create({ dataDir, ...(image !== defaultImage && { image }), ...options });
  };
}

async function createSandbox(engine: Engine, spec: SandboxSpec): Promise<SandboxHandle> {
  const layout = layoutOf(spec.dataDir);
  const key = `${findEngineSocket()} ${layout.root}`;
  const pool = pools.get(key) ?? new Pool(engine, layout);
  pools.set(key, pool);
  const shape = shapeOf(
    {
      image: spec.image ?? defaultImage,
      runtime: wantedRuntime() ?? null,
      mode: spec.mode,
      preload: wantedPreload(),
    },
    spec.limits,
  );
  if (!spec.isNamed) return occupy(engine, layout, spec, shape, await pool.take(shape));
  await layout.prepare();
  return withStartLock(layout.startLock(spec.id), async () => {
    await refuseIfAlive(layout, spec.id);
    const kept = layout.home(spec.id);
    if (!(await kept.isThere())) return occupy(engine, layout, spec, shape, await pool.take(shape));
    const container = (await pool.takeReady(shape)) ?? (await startContainer(engine, layout, kept, shape));
    return occupy(engine, layout, spec, shape, container);
  });
}

/** Makes a waiting container the sandbox that was asked for. */
async function occupy(
  engine: Engine,
  layout: DockerLayout,
  spec: SandboxSpec,
  shape: Shape,
  container: Container,
): Promise<SandboxHandle> {
  const paths = spec.mode === "ephemeral" ? { ...isolatedPaths, work: "/work" } : isolatedPaths;
  const info = describeSandbox(
    spec,
    "docker",
    { ...capabilities, memoryLimit: container.memoryLimit },
    isolatedPaths,
  );
  const { connection, home } = container;
  const kept = layout.home(spec.id);
  const hasFiles = await kept.isThere();
  try {
    await home.placeDatasets(spec.datasets);
    if (!isSameLimits(shape, container.shape)) await engine.update(container.name, shape.limits);
    await home.writeInfo(info);
    if (hasFiles) await moveIn(layout, spec.id, home);
    else await layout.settle(home, spec.id);
    const env = { ...insideEnv(isolatedPaths), ...spec.env };
    const { limits, orphanTimeoutMs, id } = spec;
    await connection.call("create", { id, limits, env, paths, orphanTimeoutMs });
    if (spec.fence !== undefined) await greet(connection, spec.fence);
    const another = createLike(layout, id, spec.dataDir);
    const sandbox = new GuestSandbox(info, connection, hostOf(layout, info, another, spec.fence));
    return await sandbox.openNetwork(spec.egress);
  } catch (error) {
    await connection.close();
    await engine.remove(container.name).catch(() => {});
    // Files that were there before stay.
    await moveBack(layout, home);
    if (home.folder !== kept.folder) await home.remove();
    if (!hasFiles) await kept.remove();
    throw error;
  }
}
