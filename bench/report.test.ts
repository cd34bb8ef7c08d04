import { describe, expect, it } from "vitest";
import type { Machine } from "./machine.ts";
import type { Figure } from "./measure.ts";
import { toJson, toTable } from "./report.ts";

const figures: Figure[] = [
  { key: "own_ms", label: "ours", unit: "ms", beside: ["other_ms", "third_ms"], goal: { atMost: 15 } },
  { key: "other_ms", label: "theirs", unit: "ms" },
  { key: "third_ms", label: "another", unit: "ms" },
  { key: "rate", label: "writing", unit: "MB/s" },
];
const machine = { cores: 2, load_average: [0, 0, 0] } as Machine;
const findings = {
  own_ms: [10, 12, 11],
  other_ms: [500, 600, 550],
  third_ms: { missing: "no engine\nhere" },
};

describe("the JSON report", () => {
  const json = toJson(figures, findings, machine);

  it("has the median of each figure at the top, and p95 and n by key", () => {
    expect(json).toMatchObject({
      own_ms: 11,
      other_ms: 550,
      p95: { own_ms: 12, other_ms: 600 },
      n: { own_ms: 3 },
      machine,
    });
  });
  it("has null and a reason for a figure that could not be had or was not asked for", () => {
    expect(json).toMatchObject({
      third_ms: null,
      rate: null,
      reasons: { third_ms: "no engine\nhere", rate: "not asked for" },
    });
    expect(json["reasons"]).not.toHaveProperty("own_ms");
  });
});

describe("the table", () => {
  const lines = toTable(figures, findings).split("\n");

  it("gives the ratio to what a figure stands beside, and judges its goal", () => {
    expect(lines[1]).toMatch(/ours\s+11 ms\s+12\s+3\s+≤ 15 met\s+50× as fast as theirs$/);
  });
  it("gives the first line of the reason where there is no number", () => {
    expect(lines[3]).toMatch(/another\s+–\s+no engine$/);
  });
  it("leaves out what was not asked for", () => {
    expect(lines).toHaveLength(4);
  });
});
