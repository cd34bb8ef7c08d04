import type { Driver } from "../../../contract/driver.ts";
import type { Capabilities, SandboxHandle, SandboxInfo, SandboxPaths } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import { GuestConnection } from "../../../guest/wire/connection.ts";
import { GuestSandbox } from "../../../guest/sandbox.ts";
import { findPython, type PythonEnvironment } from "../../../python-environment.ts";
import { describeSandbox, settleOrDestroy } from "../creation.ts";
import { createEphemeral } from "../ephemeral.ts";
import { insideEnv } from "../inside-env.ts";
import { checkCreateOptions, checkId, findDataDir, type SandboxSpec } from "../create-options.ts";
import { Layout, type Owner } from "../layout.ts";
import { attachResident, type Create, greet, hostOf, listResidents, refuseIfAlive } from "../attach.ts";
import { type Launch, Zygote } from "./zygote.ts";

/** What one driver of forked sandboxes has of its own. */
export interface ZygoteDriverOptions {
  readonly name: string;
  readonly capabilities: Capabilities;
  unavailableBecause(): Promise<string | undefined>;
  /** The user whose the sandboxes' files are, where that is not the user of this process. */
  owner(): Owner | undefined;
  paths(layout: Layout, id: string): SandboxPaths;
  env(python: PythonEnvironment): Record<string, string>;
  launcher(layout: Layout, python: PythonEnvironment): Promise<Launch>;
}

/** A driver whose sandboxes are forks of a zygote on this machine. */
export function defineZygoteDriver(options: ZygoteDriverOptions): Driver {
  const { name, capabilities } = options;
  const zygotes = new Map<string, Promise<Zygote>>();
  let checked: Promise<string | undefined> | undefined;

  const layoutOf = (dataDir?: string) => new Layout(findDataDir(dataDir), name, options.owner());

  const zygoteOf = (dataDir: string): Promise<Zygote> => {
    const make = async () => {
      const [layout, python] = [layoutOf(dataDir), await findPython()];
      return new Zygote(layout, python, await options.launcher(layout, python));
    };
    const known = zygotes.get(dataDir) ?? make();
    zygotes.set(dataDir, known);
    known.catch(() => zygotes.delete(dataDir));
    return known;
  };

  /** Asked once where all is there: the answer costs a process, and every creation asks. */
  const unavailableBecause = async () => {
    checked ??= options.unavailableBecause();
    const reason = await checked;
    if (reason !== undefined) checked = undefined;
    return reason;
  };

  const refuseIfUnavailable = async () => {
    const reason = await unavailableBecause();
    if (reason === undefined) return;
    throw new AtollError("runtime_unavailable", `the ${name} runtime cannot run here: ${reason}`);
  };

  const create = async (spec: SandboxSpec): Promise<SandboxHandle> => {
    const layout = layoutOf(spec.dataDir);
    const zygote = await zygoteOf(spec.dataDir);
    if (spec.isNamed) await refuseIfAlive(layout, spec.id);
    const hasData = await layout.placeDatasets(spec.id, spec.datasets);
    try {
      const able = { ...capabilities, ...(await zygote.hold()) };
      const info = describeSandbox(spec, name, able, options.paths(layout, spec.id));
      const env = { ...insideEnv(info.paths), ...options.env(await findPython()), ...spec.env };
      const connection = new GuestConnection(await zygote.connect());
      await connection.call("create", toRequest(spec, info, env, hasData));
      if (spec.fence !== undefined) await greet(connection, spec.fence);
      const another: Create = (given) => driver.create({ dataDir: spec.dataDir, ...given });
      const sandbox = new GuestSandbox(info, connection, hostOf(layout, info, another, spec.fence));
      return await sandbox.openNetwork(spec.egress);
    } catch (error) {
      if (!spec.isNamed) await layout.remove(spec.id, false);
      if (!(error instanceof AtollError && error.code === "sandbox_dead")) throw error;
      const words = await zygote.lastWords();
      throw new AtollError("runtime_unavailable", `the sandbox did not start: ${words}`, { cause: error });
    }
  };

  const driver: Driver = {
    name,
    capabilities,
    unavailableBecause,
    async create(given) {
      const spec = checkCreateOptions(given, capabilities);
      await refuseIfUnavailable();
      if (spec.mode === "pinned") return settleOrDestroy(create(spec), spec);
      if (!capabilities.ephemeral)
        throw new AtollError("not_supported", `the ${name} runtime has no ephemeral mode`);
      return createEphemeral(spec, name, capabilities, create);
    },
    async attach(id, { dataDir, ...given } = {}) {
      const another: Create = (options) => driver.create({ ...(dataDir && { dataDir }), ...options });
      return attachResident(layoutOf(dataDir), checkId(id), another, given);
    },
    list: async (given = {}) => listResidents(layoutOf(given.dataDir), given.ids),
  };
  return driver;
}

/** What the guest needs to become this sandbox; folders are below the layout's store. */
function toRequest(spec: SandboxSpec, info: SandboxInfo, env: Record<string, string>, hasData: boolean) {
  const home = `sandboxes/${spec.id}`;
  const isEphemeral = spec.mode === "ephemeral";
  return {
    id: spec.id,
    limits: spec.limits,
    env,
    paths: isEphemeral ? { ...info.paths, work: "/work" } : info.paths,
    orphanTimeoutMs: spec.orphanTimeoutMs,
    home,
    info,
    folders: {
      workspace: `${home}/workspace`,
      session: `${home}/session`,
      outputs: `${home}/outputs`,
      data: hasData ? `datasets/${spec.id}` : null,
      work: isEphemeral ? `${home}/work` : null,
    },
  };
}
