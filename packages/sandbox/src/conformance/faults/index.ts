import type { Driver } from "../../contract/driver.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { describeDriver } from "../suite.ts";
import { useBystander } from "./bystander.ts";
import { describeCrashes } from "./crashes.ts";
import { describeExhaustion } from "./exhaustion.ts";
import { describeFileFaults } from "./files.ts";
import { describeForgedFrames } from "./frames.ts";
import { describeHangs } from "./hangs.ts";
import { describeInputFaults } from "./input.ts";
import { describeProcessFaults } from "./processes.ts";
import { describeSnapshotFaults } from "./snapshots.ts";

const SUITES = {
  hangs: describeHangs,
  crashes: describeCrashes,
  exhaustion: describeExhaustion,
  input: describeInputFaults,
  files: describeFileFaults,
  frames: describeForgedFrames,
  snapshots: describeSnapshotFaults,
  processes: describeProcessFaults,
};

export type FaultSuiteName = keyof typeof SUITES;

export interface FaultOptions {
  readonly hooks?: FaultHooks;
  /** The parts that run. Default: all. For a driver whose other parts are another driver's code, tested there. */
  readonly suites?: readonly FaultSuiteName[];
}

/** Ways to break a driver from outside. A test that needs one is registered where it is given. */
export interface FaultHooks {
  /** Ends the process from which this sandbox was forked, without a chance to tidy up. */
  killZygote?(sandbox: Sandbox): Promise<void>;
  /** Ends the sandbox's own first process, without a chance to tidy up. */
  killSupervisor?(sandbox: Sandbox): Promise<void>;
}

/**
 * A fault ends in a result or an error with a code, the sandbox stays usable where it can, and another sandbox notices
 * nothing.
 */
export function describeFaults(driver: Driver, { hooks = {}, suites }: FaultOptions = {}): void {
  const names = suites ?? (Object.keys(SUITES) as FaultSuiteName[]);
  describeDriver("withstands faults and bad input", driver, (suite) => {
    useBystander(suite);
    for (const name of names) SUITES[name](suite, hooks);
  });
}
