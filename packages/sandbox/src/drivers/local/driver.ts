import type { Driver } from "../../contract/driver.ts";
import type { Capabilities, SandboxHandle, SandboxInfo } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { GuestConnection } from "../../guest/connection.ts";
import { GuestSandbox } from "../../guest/sandbox.ts";
import { findPython } from "../../python-environment.ts";
import { createEphemeral } from "../ephemeral.ts";
import { insideEnv, isolatedPaths } from "../inside.ts";
import { Layout } from "../layout.ts";
import { checkCreateOptions, checkId, findDataDir, type SandboxSpec } from "../options.ts";
import { attachResident, hostOf, listResidents, refuseIfAlive } from "../residents.ts";
import { Jail } from "./jail.ts";
import { findBubblewrap, jailOwner, whyUnavailable } from "./requirements.ts";

const capabilities: Capabilities = {
  isolation: true,
  shell: true,
  pty: true,
  pause: true,
  snapshot: true,
  ports: true,
  attach: true,
  network: ["none"],
  memoryLimit: "cgroup",
};

/** Sandboxes on this machine: forks of a zygote in a bubblewrap jail, each in namespaces of its own. Linux only. */
export const localDriver: Driver = {
  name: "local",
  capabilities,
  unavailableBecause: whyUnavailable,
  async create(options) {
    const spec = checkCreateOptions(options, capabilities);
    await refuseIfUnavailable();
    return spec.mode === "ephemeral" ? createEphemeral(spec, localDriver.name, capabilities, create) : create(spec);
  },
  attach: async (id, options = {}) => attachResident(layoutOf(options.dataDir), checkId(id), options),
  list: async (options = {}) => listResidents(layoutOf(options.dataDir)),
};

const jails = new Map<string, Promise<Jail>>();

async function create(spec: SandboxSpec): Promise<SandboxHandle> {
  const layout = layoutOf(spec.dataDir);
  const jail = await jailOf(spec.dataDir);
  if (spec.isNamed) await refuseIfAlive(layout, spec.id);
  const hasData = await layout.placeDatasets(spec.id, spec.datasets);
  try {
    const connection = new GuestConnection(await jail.connect());
    const info = describe(spec, (await jail.hold()).memoryLimit);
    await connection.call("create", request(spec, info, hasData), { signal: spec.signal, timeoutMs: spec.timeoutMs });
    return new GuestSandbox(info, connection, hostOf(layout, spec.id));
  } catch (error) {
    if (!spec.isNamed) await layout.remove(spec.id, false);
    if (error instanceof AtollError && error.code === "sandbox_dead") {
      throw new AtollError("runtime_unavailable", `the sandbox did not start: ${await jail.lastWords()}`, { cause: error });
    }
    throw error;
  }
}

function request(spec: SandboxSpec, info: SandboxInfo, hasData: boolean): Record<string, unknown> {
  const own = `sandboxes/${spec.id}`;
  return {
    id: spec.id,
    limits: spec.limits,
    env: { ...insideEnv(isolatedPaths), ...spec.env },
    paths: spec.mode === "ephemeral" ? { ...isolatedPaths, work: "/work" } : isolatedPaths,
    orphanTimeoutMs: spec.orphanTimeoutMs,
    home: own,
    info,
    folders: {
      workspace: `${own}/workspace`,
      session: `${own}/session`,
      outputs: `${own}/outputs`,
      data: hasData ? `datasets/${spec.id}` : null,
      work: spec.mode === "ephemeral" ? `${own}/work` : null,
    },
  };
}

function describe(spec: SandboxSpec, memoryLimit: Capabilities["memoryLimit"]): SandboxInfo {
  return {
    id: spec.id,
    driver: localDriver.name,
    mode: spec.mode,
    createdAt: new Date().toISOString(),
    limits: spec.limits,
    capabilities: { ...capabilities, memoryLimit },
    paths: isolatedPaths,
    labels: spec.labels,
  };
}

function layoutOf(dataDir?: string): Layout {
  return new Layout(findDataDir(dataDir), localDriver.name, jailOwner());
}

function jailOf(dataDir: string): Promise<Jail> {
  const known = jails.get(dataDir) ?? makeJail(dataDir);
  jails.set(dataDir, known);
  known.catch(() => jails.delete(dataDir));
  return known;
}

async function makeJail(dataDir: string): Promise<Jail> {
  const owner = jailOwner();
  const bwrap = await findBubblewrap();
  return new Jail({ layout: layoutOf(dataDir), python: await findPython(), bwrap: bwrap ?? "bwrap", owner });
}

let checked: Promise<string | undefined> | undefined;

async function refuseIfUnavailable(): Promise<void> {
  checked ??= whyUnavailable();
  const reason = await checked;
  if (reason !== undefined) {
    checked = undefined;
    throw new AtollError("runtime_unavailable", `the local runtime cannot run here: ${reason}`);
  }
}
