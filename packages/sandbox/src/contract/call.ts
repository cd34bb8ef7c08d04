/**
 * Every call can be given up. Aborting stops the work inside the sandbox, not only the wait for it. A run or command
 * that had begun then ends as a result with status `killed`; everything else fails with `aborted`.
 */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
}
