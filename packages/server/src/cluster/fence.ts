/**
 * Microseconds of the clock that all processes of a running system share and nobody can set back. A sandbox can only be
 * joined from the system that it runs on, so among those who may join it the later owner has the higher number.
 */
export function makeFence(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
