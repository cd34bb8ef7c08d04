export { beginStream } from "./begin-stream.ts";
export { Sandbox } from "./sandbox.ts";
export type { ChosenDriver } from "./drivers/choose-driver.ts";
export { RUNTIME_NAMES, RUNTIMES, type Runtime } from "./drivers/registry.ts";
export { type CallHooks, hookCalls, type OngoingCall, type SandboxCall } from "./hook-calls.ts";
export { readArtifact } from "./read-artifact.ts";
export { Stopwatch } from "./stopwatch.ts";
export { dockerDriver } from "./drivers/docker/driver.ts";
export { createRoutedDriver, type RoutedDriverOptions } from "./drivers/routed/driver.ts";
export { hostDriver } from "./drivers/host/driver.ts";
export { localDriver } from "./drivers/local/driver.ts";
export { pyodideDriver } from "./drivers/pyodide/driver.ts";
export { parkInterpreters } from "./drivers/pyodide/interpreter/pool.ts";
export { findDataDir } from "./drivers/_shared/create-options.ts";
export { nameMachine } from "./drivers/_shared/machine-name.ts";
export { errorCodes, type ErrorCode } from "@atoll/protocol";
export { AtollError } from "./errors.ts";
export { defaultLimits, type Limits } from "./contract/limits.ts";
export { isTransientContext } from "./contract/python.ts";
export { checkEgress } from "./network/egress-options.ts";
export { checkPolicy, narrowPolicy } from "./network/policy.ts";
export type * from "./contract/call.ts";
export type * from "./contract/commands.ts";
export type * from "./contract/driver.ts";
export type * from "./contract/files.ts";
export type * from "./contract/inspection.ts";
export type * from "./contract/network.ts";
export type * from "./contract/python.ts";
export type {
  Capabilities,
  CreateOptions,
  DestroyOptions,
  ForkedSandbox,
  ForkOptions,
  ForkReport,
  LostVariable,
  Restored,
  RestoreOptions,
  SandboxHandle,
  SandboxInfo,
  SandboxMode,
  SandboxPaths,
  SandboxState,
  Snapshot,
  SnapshotOptions,
} from "./contract/sandbox.ts";
export type * from "./contract/system.ts";
export type * from "./contract/trees.ts";
