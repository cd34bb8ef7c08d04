import { describe, expect, test } from "vitest";
import { analyzeCode } from "./analysis.ts";
import { decidePlace, defaultRoutingLimits, type RoutingFacts } from "./decision.ts";
import { plainModules } from "./modules.ts";
import { sayReason } from "./reasons.ts";
import { samples } from "./samples.ts";

const own = {
  plain_tools: "import math\ndef double(x): return 2 * x",
  report: "import pandas as pd\ntable = None",
  chain: "import report\ndef main(): ...",
  runner: "import os\nos.system('ls')",
};

const facts: RoutingFacts = {
  modules: new Set([...plainModules, "yaml"]),
  ownModules: new Map(Object.entries(own).map(([name, code]) => [name, analyzeCode(code)])),
  fileBytes: new Map([
    ["data.csv", 120_000_000],
    ["/workspace/data.csv", 120_000_000],
    ["small.csv", 2000],
  ]),
  names: new Map([
    ["df", "heavy"],
    ["load", "heavy"],
    ["total", "light"],
    ["words", "light"],
  ]),
  unlisted: new Set(),
  missing: new Set(["yaml"]),
  limits: defaultRoutingLimits,
};

const decide = (code: string, more: Partial<RoutingFacts> = {}) =>
  decidePlace(analyzeCode(code), { ...facts, ...more });

describe("where code runs", () => {
  test("there are at least 60 samples, no two about the same, of both places", () => {
    expect(samples.length).toBeGreaterThanOrEqual(60);
    expect(new Set(samples.map(({ code }) => code)).size).toBe(samples.length);
    expect(new Set(samples.map(({ place }) => place)).size).toBe(2);
  });

  test.each(samples)("$place: $about", ({ code, place, because }) => {
    const decision = decide(code);
    const reason = decision.reasons.map(sayReason).join(", ");
    expect(decision.place, reason).toBe(place);
    expect(reason).toMatch(because ?? /plain Python/);
  });

  test("code that ran out of time there goes elsewhere the next time", () => {
    const failedBefore = { code: "light_timeout", before: true } as const;
    expect(decide("1 + 1", { failedBefore })).toEqual({ place: "heavy", reasons: [failedBefore] });
  });

  test("names of a kernel that nobody has listed are looked for there", () => {
    const unlisted = new Set(["heavy"] as const);
    expect(decide("mystery + 1", { unlisted })).toMatchObject({
      place: "heavy",
      reasons: [{ code: "maybe_variable", of: "mystery" }],
    });
    expect(decide("print(len('a'))", { unlisted }).place).toBe("light");
    expect(decide("total + 1", { unlisted }).place).toBe("light");
  });

  test("own modules that import each other end", () => {
    const ownModules = new Map([
      ["one", analyzeCode("import two")],
      ["two", analyzeCode("import one")],
    ]);
    expect(decide("import one", { ownModules }).place).toBe("light");
  });
});
