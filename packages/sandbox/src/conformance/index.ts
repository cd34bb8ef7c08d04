import type { Driver } from "../contract/driver.ts";
import { describeArtifacts } from "./python/artifacts.ts";
import { describeBackground } from "./commands/background.ts";
import { describeCommands } from "./commands/commands.ts";
import { describeContexts } from "./python/contexts.ts";
import { describeCreation } from "./lifecycle/creation.ts";
import { describeDatasets } from "./files/datasets.ts";
import { describeDisplays } from "./python/displays.ts";
import { describeEphemeral } from "./lifecycle/ephemeral.ts";
import { describeFence } from "./lifecycle/fence.ts";
import { describeFileNames } from "./files/file-names.ts";
import { describeFiles } from "./files/files.ts";
import { describeFolders } from "./files/folders.ts";
import { describeFork } from "./lifecycle/fork.ts";
import { describeInspection } from "./python/inspection.ts";
import { describeInterruption } from "./python/interruption.ts";
import { describeLifecycle } from "./lifecycle/lifecycle.ts";
import { describeLimits } from "./lifecycle/limits.ts";
import { describePause } from "./lifecycle/pause.ts";
import { describeNetworkChanges } from "./network/network-changes.ts";
import { describeNetwork } from "./network/network.ts";
import { describePorts } from "./network/ports.ts";
import { describePython } from "./python/python.ts";
import { describeSearch } from "./files/search.ts";
import { describeSnapshot } from "./lifecycle/snapshot.ts";
import { describeStreams } from "./commands/streams.ts";
import { describeSurvival } from "./lifecycle/survival.ts";
import { describeDriver } from "./suite.ts";
import { describeSystem } from "./commands/system.ts";
import { describeTerminal } from "./commands/terminal.ts";
import { describeTransfers } from "./files/transfers.ts";
import { describeTrees } from "./files/trees.ts";
import { describeWatch } from "./files/watch.ts";

export { describeFaults } from "./faults/index.ts";
export type { FaultHooks, FaultOptions } from "./faults/index.ts";
export { findSupervisor } from "./faults/machinery.ts";
export { findAncestor, findOnHost } from "./host-processes.ts";
export { evaluate, evaluateJson, py, runOk, startWaiting } from "./run-code.ts";
export { describeDriver } from "./suite.ts";
export type { Suite } from "./suite.ts";

/** The parts of the contract, in the order in which they run. */
const SUITES = {
  creation: describeCreation,
  python: describePython,
  displays: describeDisplays,
  inspection: describeInspection,
  streams: describeStreams,
  interruption: describeInterruption,
  contexts: describeContexts,
  commands: describeCommands,
  background: describeBackground,
  terminal: describeTerminal,
  files: describeFiles,
  folders: describeFolders,
  fileNames: describeFileNames,
  transfers: describeTransfers,
  trees: describeTrees,
  search: describeSearch,
  watch: describeWatch,
  ports: describePorts,
  network: describeNetwork,
  networkChanges: describeNetworkChanges,
  system: describeSystem,
  datasets: describeDatasets,
  artifacts: describeArtifacts,
  pause: describePause,
  lifecycle: describeLifecycle,
  survival: describeSurvival,
  fence: describeFence,
  snapshot: describeSnapshot,
  fork: describeFork,
  ephemeral: describeEphemeral,
  limits: describeLimits,
};

export type SuiteName = keyof typeof SUITES;

export interface ConformanceOptions {
  /** URL of the module that exports the driver: shows that sandboxes outlive the process that made them. */
  readonly module?: string;
  /** The parts that run. Default: all. For a driver whose other parts are another driver's code, tested there. */
  readonly suites?: readonly SuiteName[];
}

/**
 * Every driver passes this. An ability that the driver declares absent is tested to be refused.
 *
 * @example
 * describeConformance(myDriver, { module: new URL("driver.ts", import.meta.url).href });
 */
export function describeConformance(driver: Driver, { module, suites }: ConformanceOptions = {}): void {
  const names = suites ?? (Object.keys(SUITES) as SuiteName[]);
  describeDriver("meets the sandbox contract", driver, (suite) => {
    for (const name of names) SUITES[name](suite, module);
  });
}
