import { expect, it } from "vitest";
import { witness } from "./clock.ts";

it("a witness gives whole milliseconds, whatever fraction of one the steady clock has", () => {
  let elapsedMs = 1000.75;
  const nowMs = witness({ now: () => 1_800_000_000_000, elapsedMs: () => elapsedMs, after: () => () => {} });
  elapsedMs = 1000.25;
  expect(nowMs()).toBe(1_799_999_999_999);
});

it("a witness does not follow a wall clock that jumps ahead, and believes one that is set back", () => {
  const time = { wallMs: 1_800_000_000_000, steadyMs: 0 };
  const nowMs = witness({ now: () => time.wallMs, elapsedMs: () => time.steadyMs, after: () => () => {} });
  Object.assign(time, { wallMs: time.wallMs + 40 * 86_400_000, steadyMs: 5000 });
  expect(nowMs()).toBe(1_800_000_005_000);
  time.wallMs = 1_700_000_000_000;
  expect(nowMs()).toBe(1_700_000_000_000);
});
