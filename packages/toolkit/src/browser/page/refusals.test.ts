import type { Traffic } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { Refusals } from "./refusals.ts";

const traffic = (host: string, outcome: Traffic["outcome"], at: number): Traffic => ({
  at: new Date(at).toISOString(),
  method: "GET",
  host,
  port: 80,
  outcome,
  ...(outcome === "allowed" ? {} : { reason: `no ${host}` }),
  sentBytes: 0,
  receivedBytes: 0,
  durationMs: 1,
});

describe("Refusals", () => {
  it("tells once which hosts a page asked for and did not get", () => {
    const refusals = new Refusals();
    for (const host of ["a.test", "a.test", "b.test", "by-itself.test"])
      refusals.note(traffic(host, host === "b.test" ? "failed" : "refused", 1000));
    for (const host of ["a.test", "b.test", "fine.test"]) refusals.noteRequest(`http://${host}/x`);
    expect(refusals.take()).toEqual(["a.test:80"]);
    expect(refusals.take()).toEqual([]);
  });

  it("knows why an address failed, but not from an earlier time", () => {
    const refusals = new Refusals();
    refusals.note(traffic("a.test", "refused", 1000));
    refusals.note(traffic("::1", "failed", 3000));
    expect(refusals.reasonFor(new URL("http://a.test/x"), 500)).toBe("no a.test");
    expect(refusals.reasonFor(new URL("http://a.test/x"), 2000)).toBeUndefined();
    expect(refusals.reasonFor(new URL("https://a.test/x"), 500)).toBeUndefined();
    expect(refusals.reasonFor(new URL("http://[::1]/"), 500)).toBe("no ::1");
  });
});
