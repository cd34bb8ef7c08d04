import type { Driver } from "../../contract/driver.ts";
import type { Limits } from "../../contract/limits.ts";
import type { CreateOptions, SandboxHandle, SandboxInfo } from "../../contract/sandbox.ts";
import type { RoutingLimits } from "../../routing/decision.ts";
import { checkNetwork } from "../_shared/create-options.ts";
import { createRoutedFiles } from "./files/files.ts";
import { chooseSmall } from "./files/small-datasets.ts";
import { RoutedSandbox } from "./handle.ts";
import { Kernels } from "./variables/kernels.ts";
import { Pair } from "./pair.ts";
import { createRoutedPython } from "./python/python.ts";
import type { PairRecord, PairRecords } from "./record.ts";
import type { LightCapacity } from "./files/shared-files.ts";
import { createRoutedEnv, createRoutedTrees } from "./env.ts";

export interface RoutedDriverOptions extends Partial<RoutedSettings> {
  readonly light: Driver;
  readonly heavy: Driver;
}

export interface RoutedSettings {
  readonly light: Driver;
  readonly heavy: Driver;
  /** That the light runtime can import, by their first part. */
  modules(): Promise<ReadonlySet<string>>;
  limits(): RoutingLimits;
  readonly capacity: LightCapacity;
  /** Of the two sandboxes, where they are others than the pair's. */
  lightLimits(): Partial<Limits>;
  heavyOptions(): Pick<CreateOptions, "limits" | "env">;
  /** Before its first use. */
  prepareHeavy(handle: SandboxHandle): Promise<void>;
}

export interface OpenOptions extends Omit<CreateOptions, "runtime" | "mode" | "datasets"> {
  readonly dataDir: string;
  readonly records: PairRecords;
  /** Those that live already. */
  readonly light?: SandboxHandle | undefined;
  readonly heavy?: SandboxHandle | undefined;
  createAnother(options: CreateOptions): Promise<SandboxHandle>;
}

/** Only the pair is the owner's: nobody takes one of its sandboxes for a whole. */
const labelOf = (id: string) => ({ "atoll.pair": id });

/** Starts what has to be there, and makes one sandbox of the two. */
export async function openPair(
  settings: RoutedSettings,
  given: PairRecord,
  options: OpenOptions,
): Promise<SandboxHandle> {
  let record = given;
  const { id } = record.info;
  const { records, env, limits, orphanTimeoutMs, fence, egress, dataDir } = options;
  const common = {
    id,
    dataDir,
    labels: labelOf(id),
    ...(env && { env }),
    ...(orphanTimeoutMs !== undefined && { orphanTimeoutMs }),
    ...(fence !== undefined && { fence }),
  };
  const save = async (change: Partial<PairRecord>) => {
    record = { ...record, ...change };
    await records.write(record);
  };
  const createHeavy = () => {
    const own = settings.heavyOptions();
    const { network } = record.info;
    return settings.heavy.create({
      ...common,
      env: { ...own.env, ...env },
      limits: { ...own.limits, ...limits },
      datasets: record.datasets,
      ...(network && network !== "none" && { network }),
      ...(egress && { egress }),
    });
  };
  const startHeavy = async () => {
    const handle = await createHeavy();
    await save({ hasHeavy: true });
    await settings.prepareHeavy(handle);
    const set = routedEnv.changes();
    if (Object.keys(set).length > 0) await handle.env.set(set);
    return handle;
  };
  await save({});
  const small = await chooseSmall(record.datasets, settings.capacity);
  const light =
    options.light ??
    (await settings.light.create({
      ...common,
      limits: { ...limits, ...settings.lightLimits() },
      datasets: small,
    }));
  let heavy = options.heavy;
  try {
    if (record.hasHeavy) heavy ??= await createHeavy();
  } catch (error) {
    await light.destroy({ keepFiles: true });
    throw error;
  }
  const pair = new Pair({ light, heavy, capacity: settings.capacity, startHeavy });
  const kernels = new Kernels(pair, options.heavy !== undefined);
  const routedEnv = createRoutedEnv(pair);
  pair.isPaused = options.heavy !== undefined && (await options.heavy.state()) === "paused";
  const info = (): SandboxInfo => record.info;
  return new RoutedSandbox({
    pair,
    kernels,
    info,
    env: routedEnv.env,
    files: createRoutedFiles(pair, settings.capacity.fileBytes),
    trees: createRoutedTrees(pair, settings.capacity),
    python: createRoutedPython({
      pair,
      kernels,
      modules: await settings.modules(),
      limits: settings.limits(),
      timeoutMs: record.info.limits.timeoutMs,
      datasets: record.datasets,
      onlyHeavyDatasets: new Set(Object.keys(record.datasets)).difference(new Set(Object.keys(small))),
    }),
    async setNetwork(policy) {
      const network = checkNetwork(policy, record.info.capabilities);
      await save({ info: { ...record.info, network } });
      await (await pair.startedHeavy())?.setNetwork(network);
    },
    createAnother: (wanted) =>
      options.createAnother({ datasets: record.datasets, ...(egress && { egress }), ...wanted }),
    cleanUp: async ({ keepFiles }) => (keepFiles ? undefined : records.remove(id)),
  });
}
