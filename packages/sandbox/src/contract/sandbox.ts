import type { EgressOptions, NetworkKind, NetworkPolicy } from "./network.ts";
import type { Commands } from "./commands.ts";
import type { Files } from "./files.ts";
import type { Limits } from "./limits.ts";
import type { Python } from "./python.ts";
import type { CallOptions } from "./call.ts";
import type { Env, Metrics, Ports, Processes } from "./system.ts";
import type { TreeRefusal, Trees } from "./trees.ts";

/** What a tool or an agent is handed: a computer it can use, but neither pause nor destroy. */
export interface Sandbox {
  readonly id: string;
  readonly info: SandboxInfo;
  readonly python: Python;
  readonly commands: Commands;
  readonly files: Files;
  readonly ports: Ports;
  readonly env: Env;
  readonly processes: Processes;
  metrics(options?: CallOptions): Promise<Metrics>;
}

/** The owner's view. `pause`, `resume` and `destroy` may be called any number of times. */
export interface SandboxHandle extends Sandbox, AsyncDisposable {
  readonly trees: Trees;
  state(): Promise<SandboxState>;
  /** Freezes every process in memory; time-outs stand still too. Until `resume`, other calls fail with `sandbox_paused`. */
  pause(options?: CallOptions): Promise<void>;
  resume(options?: CallOptions): Promise<void>;
  /** Saves the variables of a kernel context to a file that stays with the sandbox's session folder. */
  snapshot(options?: SnapshotOptions): Promise<Snapshot>;
  /** Brings a snapshot back into a new kernel of the same context. */
  restore(options?: RestoreOptions): Promise<Restored>;
  /**
   * A second sandbox with a copy of the files and of the variables, in the state in which they are now; processes are
   * not copied. `forked` says what could not be brought along. A run that is going is waited for.
   */
  fork(options?: ForkOptions): Promise<ForkedSandbox>;
  /** Ends every process and removes every file, unless `keepFiles`: then `Sandbox.create({ id })` finds them again. */
  destroy(options?: DestroyOptions): Promise<void>;
  /** Lets go without ending anything: the sandbox lives on and can be attached to. This handle is of no more use. */
  detach(): Promise<void>;
  /**
   * From now on it may reach this and nothing else; connections that are open are cut. All that runs goes on. Commands
   * that start later, and kernels between two runs, find the proxy's address in their environment, or no longer.
   */
  setNetwork(policy: NetworkPolicy): Promise<void>;
  /** The same sandbox without the owner's abilities. */
  restricted(): Sandbox;
}

export type SandboxState = "running" | "paused" | "dead";
export type SandboxMode = "pinned" | "ephemeral";

export interface SandboxInfo {
  readonly id: string;
  readonly driver: string;
  readonly mode: SandboxMode;
  readonly createdAt: string;
  readonly limits: Limits;
  readonly capabilities: Capabilities;
  readonly paths: SandboxPaths;
  readonly labels: Readonly<Record<string, string>>;
  /** Names the running system that its processes are on: only from there it can be joined. */
  readonly machine?: string;
  /** Absent: none. */
  readonly network?: NetworkPolicy;
}

/** Where things are inside. Every isolating driver uses `/workspace`, `/session` and `/data`. */
export interface SandboxPaths {
  readonly workspace: string;
  readonly session: string;
  readonly artifacts: string;
  readonly data: string;
  readonly outputs: string;
}

/** What a driver can do. An absent ability is refused with `not_supported`, never passed over in silence. */
export interface Capabilities {
  /** Keeps hostile code from the host and from other sandboxes. */
  readonly isolation: boolean;
  readonly shell: boolean;
  readonly pty: boolean;
  readonly pause: boolean;
  readonly snapshot: boolean;
  readonly ports: boolean;
  /** Can give every run a fresh sandbox (`mode: "ephemeral"`). */
  readonly ephemeral: boolean;
  /** Sandboxes outlive the process that made them. `process`: only that process can join them, and they end with it. */
  readonly attach: boolean | "process";
  /** Can be made of an image that the caller names. */
  readonly images?: boolean;
  /** `false`: one kernel only, `python.createContext` is refused. Absent: any number. */
  readonly contexts?: false;
  /**
   * `false`: there is no operating system inside. Python starts no processes and no threads, has no sockets and no
   * signals from outside, and what crashes the kernel crashes all of it. Absent: a Linux system.
   */
  readonly processes?: false;
  /** `false`: plain Python without IPython: no magics, no `IPython.display`. Absent: IPython. */
  readonly magics?: false;
  /** Packages that code for data often wants and that are not there. Absent: none of the usual ones is missing. */
  readonly lacks?: readonly string[];
  /** The kinds of network policy it can keep; empty: none, not even `none`. */
  readonly network: readonly NetworkKind[];
  /** How the memory limit is enforced: by the kernel for the whole sandbox, or for each process with a watch over the sum. */
  readonly memoryLimit: "cgroup" | "process" | "none";
  /**
   * How the disk limit is kept. `enforced`: a write that would pass it fails. `watched`: what has passed it is stopped,
   * and may have written more by then. Absent: not at all.
   */
  readonly diskLimit?: "enforced" | "watched";
  /**
   * Each sandbox is a user of the host of its own: what the kernel counts for a user, one cannot take from the others.
   * Absent or false: sandboxes share one user, and what is counted for it.
   */
  readonly ownUser?: boolean;
}

export interface CreateOptions extends CallOptions {
  /** A driver's name, or `auto`: the best isolating driver this machine has. Default: `SANDBOX_RUNTIME`, then `auto`. */
  runtime?: string;
  /** Reopens the files kept under this id, or names the new sandbox: 6–64 of `a-z A-Z 0-9 _ -`. Default: a random id. */
  id?: string;
  mode?: SandboxMode;
  /** What its inside is made of: an image with Python 3, for drivers with images. Default: the driver's own. */
  image?: string;
  limits?: Partial<Limits>;
  /** Default: no network at all. */
  network?: NetworkPolicy;
  /** Of the network policy: what only the host may know, and limits. */
  egress?: EgressOptions;
  /** Files or folders of the host to show read-only under `/data`: a list, or name inside → path on the host. */
  datasets?: readonly string[] | Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
  /** Ends itself when no process has been attached for this long. Default: 10 minutes. */
  orphanTimeoutMs?: number;
  /**
   * For owners that take turns: a number that rises from one to the next. Whoever comes with a higher one cuts off all
   * who came with a lower one or none, and stops what they run; these get `not_owner` when they come back.
   */
  fence?: number;
  /** Where sandboxes keep their files on the host. Default: `ATOLL_DATA_DIR`, then the user's data folder. */
  dataDir?: string;
}

export interface SnapshotOptions extends CallOptions {
  context?: string;
  /** Where the file is to be, inside the sandbox. Default: the place of the context's latest snapshot. */
  path?: string;
  /** Saves these variables and no others. */
  only?: readonly string[];
  /** Passes over these, without a word. */
  leaveOut?: readonly string[];
  /** Values larger than this are listed as lost. */
  maxValueBytes?: number;
  /** Once the file has this size, further values are listed as lost. */
  maxBytes?: number;
}

export interface RestoreOptions extends CallOptions {
  context?: string;
  /** Path inside the sandbox of the file to restore. Default: the context's latest snapshot. */
  path?: string;
  /** Adds the variables to those that the kernel has, instead of beginning with a new kernel. */
  isAdded?: boolean;
  /** With `isAdded`: takes these away where the snapshot does not bring them. */
  forget?: readonly string[];
}

export interface Snapshot {
  /** Path inside the sandbox. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly saved: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly durationMs: number;
}

export interface Restored {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly durationMs: number;
}

export interface LostVariable {
  readonly name: string;
  readonly type: string;
  readonly reason: string;
}

/** Limits, labels, datasets, environment and network are those of the first sandbox where nothing else is said. */
export type ForkOptions = Pick<
  CreateOptions,
  "id" | "limits" | "labels" | "datasets" | "env" | "network" | "egress" | "orphanTimeoutMs" | "signal"
>;

export interface ForkedSandbox extends SandboxHandle {
  readonly forked: ForkReport;
}

/** Variables of a context other than `default` are named `context/variable`. */
export interface ForkReport {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly skippedFiles: readonly TreeRefusal[];
}

export interface DestroyOptions extends CallOptions {
  keepFiles?: boolean;
}
