import { defaultLimits } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { describeLost, usualSurroundings, writeSystemPrompt } from "./system.ts";

describe("the system prompt", () => {
  it("names the sandbox's own paths and limits, and the data", () => {
    const surroundings = {
      paths: { ...usualSurroundings.paths, workspace: "/elsewhere/work" },
      limits: { ...defaultLimits, timeoutMs: 45_000, memoryBytes: 512 * 1024 * 1024 },
    };
    const data = {
      tables: [],
      others: [{ file: "/data/plan.pdf", name: "plan.pdf", size_bytes: 10 }],
    };
    const prompt = writeSystemPrompt(data, surroundings);
    expect(prompt).toContain("/elsewhere/work");
    expect(prompt).toContain("45 s");
    expect(prompt).toContain("Memory: 512 MB");
    expect(prompt).toContain("plan.pdf");
    expect(prompt).not.toContain("/workspace");
  });

  it("lists what a restore has lost, and not without end", () => {
    expect(describeLost([])).toBe("");
    const lost = Array.from({ length: 40 }, (_, at) => ({ name: `v${at}`, type: "socket", reason: "open" }));
    expect(describeLost(lost)).toMatch(/v0 \(socket: open\).*v29.*and 10 more/);
    expect(describeLost(lost)).not.toContain("v30");
  });
});
