import type { Capabilities, CreateOptions, SandboxHandle, SandboxInfo, SandboxState } from "./sandbox.ts";
import type { CallOptions } from "./call.ts";
import type { Limits } from "./limits.ts";
import type { EgressOptions, NetworkPolicy } from "./network.ts";

/** What a runtime implements. Nothing happens until one of these is called: no I/O at import or construction. */
export interface Driver {
  readonly name: string;
  /** What the driver can do on a machine that has all it needs. */
  readonly capabilities: Capabilities;
  /** Of its sandboxes, where the caller names none. Absent: `defaultLimits`. */
  readonly defaultLimits?: Limits;
  /** How much of data sets fits into a sandbox with so much memory. Absent: they take none of it. */
  datasetBytes?(memoryBytes: number): number;
  /** Why it cannot run here, in words that say what to install or change; undefined when it can. */
  unavailableBecause(): Promise<string | undefined>;
  create(options: CreateOptions): Promise<SandboxHandle>;
  /**
   * Joins a living sandbox, of this process or of one that died. Fails with `sandbox_dead` when only its files are
   * left, and with `not_found` when there is nothing of it.
   */
  attach(id: string, options?: AttachOptions): Promise<SandboxHandle>;
  list(options?: SandboxListOptions): Promise<readonly SandboxListing[]>;
}

export interface AttachOptions extends CallOptions {
  runtime?: string;
  dataDir?: string;
  /** See `CreateOptions`. One lower than that of the present owner is refused with `not_owner`. */
  fence?: number;
  /** As for `create`: it is not kept with the sandbox. */
  egress?: EgressOptions;
  /** Takes the place of the policy that it has, as `setNetwork` does. */
  network?: NetworkPolicy;
}

export interface SandboxListOptions extends Omit<AttachOptions, "fence" | "egress" | "network"> {
  /** Only these. */
  ids?: readonly string[];
}

export interface SandboxListing {
  readonly id: string;
  readonly state: SandboxState;
  /** It was not ended, and was on another machine that shares the data folder: there it may live. */
  readonly isElsewhere?: boolean;
  readonly info: SandboxInfo;
}
