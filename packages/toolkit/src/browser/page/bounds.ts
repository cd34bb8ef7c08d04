import { settleWithin } from "@atoll/std";
/** What a page says of itself, in one line and not too long. */
export function clip(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** The promise's value, or the fallback when it rejects or takes longer: a page may refuse to answer. */
export function orElse<Value>(fallback: Value, work: Promise<Value>, timeoutMs: number): Promise<Value> {
  return settleWithin(work, timeoutMs, fallback).catch(() => fallback);
}
