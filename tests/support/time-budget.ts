// How long tests wait for an event that never comes: 20 s on an idle machine, more on a busy one. vitest runs this file
// before each test file, for `expect.poll`; for a promise there is `expectSoon`.
import { availableParallelism, loadavg } from "node:os";
import { expect, vi } from "vitest";

const IDLE_WAIT_MS = 20_000;
const MAX_FACTOR = 4.5;

const waitMs = IDLE_WAIT_MS * Math.min(MAX_FACTOR, Math.max(1, loadPerCore() / 2));
vi.setConfig({ expect: { requireAssertions: true, poll: { timeout: waitMs } } });

/**
 * What the promise resolves to. If it stays pending, the test fails with a message that says what did not happen.
 *
 * @example
 * await expectSoon(closed, "the server closes the connection");
 */
export async function expectSoon<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(late.resolve, waitMs, "late");
  try {
    const outcome = await Promise.race([promise.then(() => "in time"), late.promise]);
    expect(outcome, `waited ${Math.round(waitMs / 1000)} s and it did not happen: ${what}`).toBe("in time");
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Two workers and their sandboxes keep an otherwise idle machine at a load of about two a core. */
function loadPerCore(): number {
  return (loadavg()[0] ?? 0) / availableParallelism();
}
