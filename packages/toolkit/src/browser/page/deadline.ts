import { settleWithin } from "@atoll/std";

/** The promise's value, or the fallback when it rejects or takes longer: a page may refuse to answer. */
export function orElse<Value>(fallback: Value, work: Promise<Value>, timeoutMs: number): Promise<Value> {
  return settleWithin(work, timeoutMs, fallback).catch(() => fallback);
}
