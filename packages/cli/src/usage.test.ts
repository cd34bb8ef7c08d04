import { RUNTIMES } from "@atoll/sandbox/runtimes";
import { describe, expect, it } from "vitest";
import { commands } from "./commands.ts";
import { writeUsage } from "./usage.ts";

describe("atoll help", () => {
  const usage = writeUsage();

  it("has a line for every command", () => {
    for (const { name, summary } of commands)
      expect(usage).toMatch(new RegExp(`^  atoll ${name}\\b.*  ${RegExp.escape(summary)}$`, "m"));
  });

  it("has a line for every option", () => {
    const names = commands.flatMap(({ options = {} }) => Object.keys(options));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(usage).toMatch(new RegExp(`^  (-.,|   ) --${name}( <\\w+>)?  `, "m"));
  });

  it("has a line for every runtime, and for auto", () => {
    for (const { name } of [...RUNTIMES, { name: "auto" }])
      expect(usage).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
  });
});
