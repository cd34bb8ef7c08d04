/**
 * Microseconds of the monotonic clock that all processes of a running system share. Only processes of that system can
 * attach to a sandbox on it, so a later owner always has the higher number.
 */
export function makeFence(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
