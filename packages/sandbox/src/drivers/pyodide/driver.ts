import { join } from "node:path";
import type { Driver, SandboxListing } from "../../contract/driver.ts";
import type { Capabilities, SandboxHandle } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { type GuestHost, GuestSandbox } from "../../guest/sandbox.ts";
import { describeSandbox, settleOrDestroy } from "../_shared/creation.ts";
import { createEphemeral } from "../_shared/ephemeral.ts";
import { insideEnv, isolatedPaths } from "../_shared/inside-env.ts";
import {
  checkCreateOptions,
  checkFence,
  checkId,
  findDataDir,
  type SandboxSpec,
} from "../_shared/create-options.ts";
import { Layout } from "../_shared/layout.ts";
import { checkDatasets, readDatasets } from "./files/datasets.ts";
import { FileStore } from "./files/file-store.ts";
import { Kernel } from "./supervisor/kernel.ts";
import { findLauncher } from "./interpreter/launcher.ts";
import { boundLimits, halfOf, maxFiles, pyodideLimits } from "./limits.ts";
import { usualAbsentPackages } from "./distribution/packages.ts";
import { Supervisor } from "./supervisor/supervisor.ts";

const name = "pyodide";
/** Those of this process, by the folder they are in. */
const living = new Map<string, Supervisor | "starting">();

/**
 * Python in WebAssembly, in a process of its own for each sandbox: for light work, and for machines that have neither
 * bubblewrap nor Docker. There is no Linux inside; files are in memory, with a copy on the host.
 */
export const pyodideDriver: Driver = {
  name,
  get capabilities() {
    return capabilities();
  },
  get defaultLimits() {
    return pyodideLimits();
  },
  datasetBytes: halfOf,
  unavailableBecause: whyUnavailable,
  async create(given) {
    const spec = checkCreateOptions(given, capabilities(), pyodideLimits());
    const reason = await whyUnavailable();
    if (reason !== undefined)
      throw new AtollError("runtime_unavailable", `the ${name} runtime cannot run here: ${reason}`);
    if (spec.mode === "pinned") return settleOrDestroy(create(spec), spec);
    return createEphemeral(spec, name, capabilities(), create);
  },
  async attach(id, { dataDir, fence } = {}) {
    const layout = layoutOf(dataDir);
    const folder = layout.sandbox(checkId(id));
    if (fence !== undefined) checkFence(fence);
    const supervisor = living.get(folder);
    if (supervisor && supervisor !== "starting" && supervisor.state !== "dead")
      return handleOf(supervisor, layout, fence);
    if (await layout.readInfo(id))
      throw new AtollError(
        "sandbox_dead",
        `the sandbox ${id} is not running; create({ id }) starts it on its files`,
      );
    throw new AtollError("not_found", `no sandbox ${id} in ${layout.root}`);
  },
  async list({ dataDir, ids } = {}) {
    const layout = layoutOf(dataDir);
    const listed = await Promise.all((ids ?? (await layout.ids())).map((id) => listingOf(layout, id)));
    return listed.filter((entry) => entry !== undefined);
  },
};

function capabilities(): Capabilities {
  return {
    isolation: true,
    shell: false,
    pty: false,
    pause: process.platform !== "win32",
    snapshot: true,
    ports: false,
    ephemeral: true,
    attach: "process",
    contexts: false,
    processes: false,
    magics: false,
    lacks: usualAbsentPackages(),
    network: ["none"],
    memoryLimit: "process",
  };
}

async function whyUnavailable(): Promise<string | undefined> {
  try {
    await findLauncher();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function create(given: SandboxSpec): Promise<SandboxHandle> {
  const spec = { ...given, limits: boundLimits(given.limits) };
  const layout = layoutOf(spec.dataDir);
  const folder = layout.sandbox(spec.id);
  await checkDatasets(spec.datasets, halfOf(spec.limits.memoryBytes));
  const present = living.get(folder);
  if (present === "starting" || (present && present.state !== "dead"))
    throw new AtollError(
      "already_exists",
      `the sandbox ${spec.id} is running: attach to it, or destroy it first`,
    );
  living.set(folder, "starting");
  try {
    await layout.prepare();
    const store = new FileStore(folder, { bytes: spec.limits.diskBytes, entries: maxFiles });
    await store.open();
    const info = describeSandbox(spec, name, capabilities(), isolatedPaths);
    await layout.writeInfo(info);
    const env = { ...insideEnv(info.paths), ...spec.env };
    const kernel = new Kernel({
      store,
      paths: info.paths,
      limits: spec.limits,
      env,
      dataRows: () => readDatasets(spec.datasets),
    });
    await kernel.ready();
    const supervisor = new Supervisor({
      info,
      datasets: spec.datasets,
      kernel,
      store,
      env,
      orphanTimeoutMs: spec.orphanTimeoutMs,
      onEnd: () => living.delete(folder),
    });
    living.set(folder, supervisor);
    return handleOf(supervisor, layout, spec.fence);
  } catch (error) {
    living.delete(folder);
    if (!spec.isNamed) await layout.remove(spec.id, false);
    throw error;
  }
}

function handleOf(supervisor: Supervisor, layout: Layout, fence: number | undefined): SandboxHandle {
  const { info } = supervisor;
  return new GuestSandbox(info, supervisor.link(fence), hostOf(supervisor, layout, fence));
}

function hostOf(supervisor: Supervisor, layout: Layout, fence: number | undefined): GuestHost {
  const { datasets } = supervisor;
  const { id } = supervisor.info;
  return {
    dial: async () => supervisor.link(fence),
    copies: layout.copies(id),
    saveInfo: (info) => layout.writeInfo(info),
    createAnother: (options) => pyodideDriver.create({ dataDir: dataDirOf(layout), datasets, ...options }),
    kill: () => supervisor.end().then(() => true),
    cleanUp: ({ keepFiles }) => layout.remove(id, keepFiles),
  };
}

async function listingOf(layout: Layout, id: string): Promise<SandboxListing | undefined> {
  const info = await layout.readInfo(id);
  const supervisor = living.get(layout.sandbox(id));
  const state = supervisor && supervisor !== "starting" ? supervisor.state : "dead";
  return info && { id, info, state };
}

function layoutOf(dataDir?: string): Layout {
  return new Layout(findDataDir(dataDir), name);
}

function dataDirOf(layout: Layout): string {
  return join(layout.root, "..");
}
