import { join } from "node:path";
import { KeyedMutex } from "@atoll/std";
import type { AttachOptions, Driver, SandboxListing } from "../../contract/driver.ts";
import type { Capabilities, CreateOptions, SandboxHandle } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { defaultRoutingLimits } from "../../routing/decision.ts";
import { plainModules } from "../../routing/modules.ts";
import { describeSandbox, settleOrDestroy } from "../_shared/creation.ts";
import { isolatedPaths } from "../_shared/inside-env.ts";
import {
  checkCreateOptions,
  checkId,
  checkNetwork,
  findDataDir,
  type SandboxSpec,
} from "../_shared/create-options.ts";
import { openPair, type RoutedDriverOptions, type RoutedSettings } from "./open-pair.ts";
import { PairRecords } from "./record.ts";
import { defaultLightCapacity } from "./files/shared-files.ts";

export type { RoutedDriverOptions } from "./open-pair.ts";

/** A driver made of two: light work runs in one sandbox, heavy work in another, on one set of files. */
export function createRoutedDriver(given: RoutedDriverOptions): Driver {
  const settings: RoutedSettings = {
    modules: async () => plainModules,
    limits: () => ({
      ...defaultRoutingLimits,
      ...(given.light.defaultLimits && { timeoutMs: given.light.defaultLimits.timeoutMs }),
    }),
    capacity: defaultLightCapacity,
    lightLimits: () => ({}),
    heavyOptions: () => ({}),
    prepareHeavy: async () => {},
    ...given,
  };
  const { light, heavy } = settings;
  /** Of two that ask for an id at once, one gets it. */
  const creations = new KeyedMutex();
  /** What either can do, and of what needs both, what both can. */
  const describe = (): Capabilities => ({
    ...heavy.capabilities,
    isolation: light.capabilities.isolation && heavy.capabilities.isolation,
    memoryLimit: weakerLimit(light.capabilities.memoryLimit, heavy.capabilities.memoryLimit),
    pause: light.capabilities.pause && heavy.capabilities.pause,
    snapshot: light.capabilities.snapshot && heavy.capabilities.snapshot,
    attach: light.capabilities.attach === true ? heavy.capabilities.attach : light.capabilities.attach,
    ephemeral: false,
  });

  const unavailableBecause = async () => {
    for (const { name, unavailableBecause: ask } of [light, heavy]) {
      const reason = await ask();
      if (reason !== undefined) return `${name}: ${reason}`;
    }
    return undefined;
  };

  const another = (dataDir: string) => (options: CreateOptions) => driver.create({ dataDir, ...options });

  const create = async (spec: SandboxSpec, options: CreateOptions): Promise<SandboxHandle> => {
    const records = new PairRecords(spec.dataDir);
    const before = await records.read(spec.id);
    if (before && spec.isNamed) await refuseIfAlive(settings, spec);
    const info = describeSandbox(spec, "routed", describe(), isolatedPaths);
    const record = { info, datasets: spec.datasets, hasHeavy: before?.hasHeavy ?? false };
    return openPair(settings, record, {
      ...options,
      dataDir: spec.dataDir,
      records,
      createAnother: another(spec.dataDir),
    });
  };

  const driver: Driver = {
    name: "routed",
    get capabilities() {
      return describe();
    },
    unavailableBecause,
    async create(options) {
      const spec = checkCreateOptions(options, describe());
      if (spec.mode !== "pinned")
        throw new AtollError("not_supported", "the routed runtime has no ephemeral mode");
      const reason = await unavailableBecause();
      if (reason !== undefined)
        throw new AtollError("runtime_unavailable", `the routed runtime cannot run here: ${reason}`);
      const creation = creations.run(join(spec.dataDir, spec.id), () => create(spec, options));
      return settleOrDestroy(creation, spec);
    },
    attach: async (id, options = {}) => attachPair(settings, checkId(id), options, another),
    async list(options = {}) {
      const records = new PairRecords(findDataDir(options.dataDir));
      const ids = options.ids ?? (await records.ids());
      const listed = await Promise.all(ids.map((id) => describeListed(settings, records, id, options)));
      return listed.filter((entry) => entry !== undefined);
    },
  };
  return driver;
}

function weakerLimit(...means: readonly Capabilities["memoryLimit"][]): Capabilities["memoryLimit"] {
  return (["none", "process"] as const).find((each) => means.includes(each)) ?? "cgroup";
}

type Another = (dataDir: string) => (options: CreateOptions) => Promise<SandboxHandle>;

/** The one that has the files decides whether the pair lives. A light sandbox that has ended is made anew. */
async function attachPair(
  settings: RoutedSettings,
  id: string,
  options: AttachOptions,
  another: Another,
): Promise<SandboxHandle> {
  const dataDir = findDataDir(options.dataDir);
  const records = new PairRecords(dataDir);
  const record = await records.read(id);
  if (!record) throw new AtollError("not_found", `no sandbox ${id} of the routed runtime`);
  const { egress, network, ...place } = { ...options, dataDir };
  const joined = { ...place, ...(egress && { egress }), ...(network && { network }) };
  const heavy = record.hasHeavy ? await settings.heavy.attach(id, joined) : undefined;
  const light = await settings.light.attach(id, place).catch((error: unknown) => {
    const isGone = error instanceof AtollError && ["sandbox_dead", "not_found"].includes(error.code);
    if (!heavy || !isGone) throw error;
    return undefined;
  });
  const info = network
    ? { ...record.info, network: checkNetwork(network, record.info.capabilities) }
    : record.info;
  const { limits, labels, network: policy } = info;
  return openPair(
    settings,
    { ...record, info },
    {
      limits,
      labels,
      ...joined,
      ...(policy && { network: policy }),
      records,
      light,
      heavy,
      createAnother: another(dataDir),
    },
  );
}

async function refuseIfAlive({ light, heavy }: RoutedSettings, { id, dataDir }: SandboxSpec): Promise<void> {
  for (const { list } of [light, heavy]) {
    const [listing] = await list({ dataDir, ids: [id] });
    if (listing && listing.state !== "dead") {
      throw new AtollError(
        "already_exists",
        `the sandbox ${id} is running: attach to it, or destroy it first`,
      );
    }
  }
}

async function describeListed(
  { light, heavy }: RoutedSettings,
  records: PairRecords,
  id: string,
  options: AttachOptions,
): Promise<SandboxListing | undefined> {
  const record = await records.read(id);
  if (!record) return undefined;
  const home = record.hasHeavy ? heavy : light;
  const place = { ...(options.dataDir && { dataDir: options.dataDir }), ids: [id] };
  const [listing] = await home.list(place);
  const { state = "dead", isElsewhere } = listing ?? {};
  return { id, state, info: record.info, ...(isElsewhere && { isElsewhere }) };
}
