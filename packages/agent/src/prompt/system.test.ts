import { defaultLimits, type NetworkPolicy } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { sandboxFactsOf, usualSandboxFacts, writeSystemPrompt } from "./system.ts";

describe("the system prompt", () => {
  it("names the sandbox's own paths and limits, and the data", () => {
    const sandboxFacts = {
      paths: { ...usualSandboxFacts.paths, workspace: "/elsewhere/work" },
      limits: { ...defaultLimits, timeoutMs: 45_000, memoryBytes: 512 * 1024 * 1024 },
    };
    const data = {
      tables: [],
      others: [{ file: "/data/plan.pdf", name: "plan.pdf", size_bytes: 10 }],
    };
    const prompt = writeSystemPrompt(data, sandboxFacts);
    expect(prompt).toContain("/elsewhere/work");
    expect(prompt).toContain("45 s");
    expect(prompt).toContain("Memory: 512 MB");
    expect(prompt).toContain("plan.pdf");
    expect(prompt).not.toContain("/workspace");
  });

  it("says what became of the variables, where they were restored", () => {
    const data = { tables: [], others: [] };
    expect(writeSystemPrompt(data, usualSandboxFacts)).not.toContain("# Its variables");
    const restore = { restored: ["rates"], lost: [] };
    expect(writeSystemPrompt(data, usualSandboxFacts, restore)).toMatch(/# Its variables\n.*back: rates/);
  });

  it("says what the sandbox may reach", () => {
    const data = { tables: [], others: [] };
    const tell = (network?: NetworkPolicy) =>
      writeSystemPrompt(data, sandboxFactsOf(network === undefined ? {} : { network }));
    expect(tell()).toContain("- No network");
    expect(tell("none")).toBe(tell());
    expect(tell("all-public")).toContain("Network: public hosts");
    expect(tell({ allow: ["a.test", "*.b.test"] })).toContain("Network: a.test, *.b.test, through the proxy");
    const many = Array.from({ length: 40 }, (_, at) => `h${at}.test`);
    expect(tell({ allow: many })).toContain("h29.test and 10 more");
  });
});
