/** Every call can be given up. Aborting stops the work inside the sandbox, not only the wait for it. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
}
