import type { CallOptions } from "./call.ts";
import type { Notice, PlaceReason } from "@atoll/protocol";
import type { Inspection } from "./inspection.ts";

/**
 * The variables of a context whose name begins with an underscore are nobody's to keep: they are in no checkpoint and in
 * no fork, and gone when the sandbox rests.
 */
export function isTransientContext(name: string): boolean {
  return name.startsWith("_");
}

export interface Python extends Inspection {
  /** Runs code in a live IPython kernel: variables stay for the next run of the same context. */
  run(code: string, options?: PythonRunOptions): Promise<RunResult>;
  /** Starts a further kernel with variables of its own. The context `default` is always there. */
  createContext(options?: { name?: string } & CallOptions): Promise<PythonContext>;
  contexts(options?: CallOptions): Promise<readonly PythonContext[]>;
  /** Throws the kernel's variables away and starts a new one. */
  restart(context?: string, options?: CallOptions): Promise<void>;
  removeContext(context: string, options?: CallOptions): Promise<void>;
  /** Interrupts what the context runs now, as Ctrl-C would. Does nothing when it is idle. */
  interrupt(context?: string, options?: CallOptions): Promise<void>;
}

export interface PythonContext {
  readonly name: string;
  readonly isBusy: boolean;
  /** Runs since the kernel started. */
  readonly executionCount: number;
}

export interface PythonRunOptions extends CallOptions {
  context?: string;
  onStdout?: (text: string) => void;
  onStderr?: (text: string) => void;
  onResult?: (result: RunOutput) => void;
  maxOutputBytes?: number;
  /** Of a sandbox with two kernels (`info.driver` is `routed`): the one to run in. Others have no choice. */
  place?: "light" | "heavy";
  /**
   * Copies what the run made to the host, up to 64 MiB, for as long as it is one of the last eight runs that made
   * something. Default: true. Without it artifacts have no `hostPath`.
   */
  copyArtifacts?: boolean;
}

/** A non-zero exit, a time-out and cut output are results, not exceptions. */
export interface RunResult {
  readonly runId: string;
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean; readonly results: boolean };
  readonly results: readonly RunOutput[];
  readonly error?: RunError;
  readonly artifacts: readonly Artifact[];
  /** Path inside → path of a copy on the host, which nothing inside can change. */
  readonly artifactMap: Readonly<Record<string, string>>;
  readonly durationMs: number;
  /** The kernel had to be replaced: its variables are gone, files are not. */
  readonly kernelRestarted: boolean;
  /** What the sandbox adds for the reader: which limit was hit, what was lost. */
  readonly notices: readonly string[];
  /** The same as codes with values, to be said in another language. Absent when there are none. */
  readonly codedNotices?: readonly Notice[];
  /** Of a sandbox with two kernels: in which one it ran, and why. */
  readonly place?: RunPlace;
}

export interface RunPlace {
  readonly runtime: "pyodide" | "cpython";
  /** In words for a user, e.g. `imports pandas`. */
  readonly reason: string;
  readonly reasons: readonly PlaceReason[];
  /** It was run again here, from the start, because the other kernel could not do it. */
  readonly retried?: boolean;
}

/** `killed`: ended from outside or by a limit (crash, memory, disk, abort). `timeout`: its time was up. */
export type RunStatus = "ok" | "error" | "timeout" | "killed";

export interface RunError {
  readonly name: string;
  readonly value: string;
  readonly traceback: string;
}

/** One displayed value, in every form it has. Images are base64. */
export interface RunOutput {
  /** The value of the last expression, as opposed to something displayed on the way. */
  readonly isMain: boolean;
  readonly text?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly svg?: string;
  readonly png?: string;
  readonly jpeg?: string;
  readonly latex?: string;
  readonly json?: unknown;
  readonly table?: Table;
  /** Any further media types the value offers. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Table {
  /** Under this name the kernel has the whole of it for a while: `python.table`. */
  readonly id?: string;
  readonly columns: readonly { readonly name: string; readonly dtype: string }[];
  /** The first rows as JSON values; missing values are null, dates are ISO strings. */
  readonly rows: readonly (readonly unknown[])[];
  /** Labels of those rows where the index says more than a position. */
  readonly index?: readonly unknown[];
  readonly indexNames?: readonly (string | null)[];
  readonly totalRows: number;
  readonly totalColumns: number;
}

/** A file a run made or changed, found by its content. */
export interface Artifact {
  readonly path: string;
  /** Of a copy on the host, which nothing inside can change. */
  readonly hostPath?: string;
  readonly sizeBytes: number;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly mime: string;
  readonly change: "new" | "changed";
}
