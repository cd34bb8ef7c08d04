import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measures } from "./index.ts";

const figures = measures.flatMap((measure) => measure.figures);
const keys = figures.map(({ key }) => key);
const page = readFileSync(join(import.meta.dirname, "../../docs/benchmarks.md"), "utf8");

describe("the measures", () => {
  it("have names and keys of their own", () => {
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(measures.map(({ name }) => name)).size).toBe(measures.length);
  });
  it("stand beside figures that there are", () => {
    for (const { beside = [] } of figures) for (const other of beside) expect(keys).toContain(other);
  });
  it.each(keys)("say in docs/benchmarks.md what %s is", (key) => {
    expect(page).toContain(`\`${key}\``);
  });
});
