import type { Driver } from "../contract/driver.ts";
import { describeArtifacts } from "./artifacts.ts";
import { describeBackground } from "./background.ts";
import { describeCommands } from "./commands.ts";
import { describeContexts } from "./contexts.ts";
import { describeCreation } from "./creation.ts";
import { describeDatasets } from "./datasets.ts";
import { describeDisplays } from "./displays.ts";
import { describeEphemeral } from "./ephemeral.ts";
import { describeFence } from "./fence.ts";
import { describeFileNames } from "./file-names.ts";
import { describeFiles } from "./files.ts";
import { describeFolders } from "./folders.ts";
import { describeFork } from "./fork.ts";
import { describeInspection } from "./inspection.ts";
import { describeInterruption } from "./interruption.ts";
import { describeLifecycle } from "./lifecycle.ts";
import { describeLimits } from "./limits.ts";
import { describePause } from "./pause.ts";
import { describeNetworkChanges } from "./network-changes.ts";
import { describeNetwork } from "./network.ts";
import { describePorts } from "./ports.ts";
import { describePython } from "./python.ts";
import { describeSearch } from "./search.ts";
import { describeSnapshot } from "./snapshot.ts";
import { describeStreams } from "./streams.ts";
import { describeSurvival } from "./survival.ts";
import { describeDriver } from "./suite.ts";
import { describeSystem } from "./system.ts";
import { describeTerminal } from "./terminal.ts";
import { describeTransfers } from "./transfers.ts";
import { describeTrees } from "./trees.ts";
import { describeWatch } from "./watch.ts";

export { describeFaults } from "./faults/index.ts";
export type { FaultHooks, FaultOptions } from "./faults/index.ts";
export { findSupervisor } from "./faults/machinery.ts";
export { findAncestor, findOnHost } from "./host-processes.ts";
export { evaluate, evaluateJson, py, runOk, startWaiting } from "./runs.ts";
export { describeDriver } from "./suite.ts";
export type { Suite } from "./suite.ts";

export interface ConformanceOptions {
  /** URL of the module that exports the driver: shows that sandboxes outlive the process that made them. */
  readonly module?: string;
}

/** Every driver passes this. An ability that the driver declares absent is tested to be refused. */
export function describeConformance(driver: Driver, options: ConformanceOptions = {}): void {
  describeDriver("meets the sandbox contract", driver, (suite) => {
    describeCreation(suite);
    describePython(suite);
    describeDisplays(suite);
    describeInspection(suite);
    describeStreams(suite);
    describeInterruption(suite);
    describeContexts(suite);
    describeCommands(suite);
    describeBackground(suite);
    describeTerminal(suite);
    describeFiles(suite);
    describeFolders(suite);
    describeFileNames(suite);
    describeTransfers(suite);
    describeTrees(suite);
    describeSearch(suite);
    describeWatch(suite);
    describePorts(suite);
    describeNetwork(suite);
    describeNetworkChanges(suite);
    describeSystem(suite);
    describeDatasets(suite);
    describeArtifacts(suite);
    describePause(suite);
    describeLifecycle(suite);
    describeSurvival(suite, options.module);
    describeFence(suite);
    describeSnapshot(suite);
    describeFork(suite);
    describeEphemeral(suite);
    describeLimits(suite);
  });
}
