import { describe, expect, it } from "vitest";
import { findFaults, type Schema } from "./json-schema.ts";

const definitions = { Name: { type: "string", pattern: "^[a-z]+$", maxLength: 5 } } as const;
const schema: Schema = {
  type: "object",
  properties: {
    name: { $ref: "#/components/schemas/Name" },
    age: { type: "integer", minimum: 0, maximum: 150 },
    tags: { type: "array", items: { enum: ["a", "b"] }, maxItems: 2 },
    either: { anyOf: [{ type: "null" }, { type: "number", exclusiveMinimum: 0 }] },
    several: { type: ["string", "null"] },
    kind: { oneOf: [{ const: 1 }, { const: 2 }] },
  },
  required: ["name"],
  additionalProperties: false,
};
const faults = (value: unknown) => findFaults(value, schema, definitions);

describe("findFaults", () => {
  it("a value that fits has no fault", () => {
    expect(faults({ name: "abc", age: 3, tags: ["a", "b"], either: null, kind: 2, several: null })).toEqual(
      [],
    );
    expect(faults({ name: "a", either: 0.5 })).toEqual([]);
  });

  it.each([
    [[], "no object"],
    [{}, "name is missing"],
    [{ name: "ABC" }, "does not fit"],
    [{ name: "abcdef" }, "does not fit"],
    [{ name: "a", age: 1.5 }, "no integer"],
    [{ name: "a", age: -1 }, "out of range"],
    [{ name: "a", tags: ["c"] }, "none of a, b"],
    [{ name: "a", tags: ["a", "a", "a"] }, "3 entries"],
    [{ name: "a", either: 0 }, "fits no form"],
    [{ name: "a", several: 1 }, "no string,null"],
    [{ name: "a", kind: 3 }, "exactly one"],
    [{ name: "a", other: 1 }, "other is not known"],
  ])("%j is refused: %s", (value, words) => {
    expect(faults(value).join("\n")).toContain(words);
  });

  it("a keyword that is not checked is not passed over", () => {
    expect(findFaults(1, { multipleOf: 2 } as Schema, {})).toEqual([expect.stringContaining("multipleOf")]);
  });
});
