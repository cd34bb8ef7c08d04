/** What one sandbox may use. Durations are in milliseconds, sizes in bytes. */
export interface Limits {
  /** Processor cores, fractions allowed. */
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** Wall time of a run or command that sets no time-out of its own. */
  readonly timeoutMs: number;
  readonly fileSizeBytes: number;
  /** Everything the sandbox keeps on disk: workspace, session and outputs together. */
  readonly diskBytes: number;
  /** Of stdout and stderr of one run, each. What goes past is dropped, and the result says so. */
  readonly outputBytes: number;
  /** Of each process. */
  readonly openFiles: number;
  /** Memory-backed scratch space at /tmp and /dev/shm, each. */
  readonly tmpBytes: number;
}

const MiB = 1024 * 1024;

export const defaultLimits: Limits = {
  cpus: 1,
  memoryBytes: 1024 * MiB,
  processes: 256,
  timeoutMs: 120_000,
  fileSizeBytes: 1024 * MiB,
  diskBytes: 2048 * MiB,
  outputBytes: 1 * MiB,
  openFiles: 1024,
  tmpBytes: 256 * MiB,
};
