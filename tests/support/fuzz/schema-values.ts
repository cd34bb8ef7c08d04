import * as fc from "fast-check";
import { type Definitions, resolve, type Schema } from "./json-schema.ts";

/** Values by the name of their property, where one that only has the right type would not get far. */
export type KnownValues = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that a schema allows. */
export function valuesOf(
  given: Schema,
  definitions: Definitions,
  known: KnownValues = {},
): fc.Arbitrary<unknown> {
  const schema = resolve(given, definitions);
  const next = (part: Schema) => valuesOf(part, definitions, known);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ("const" in schema) return fc.constant(schema.const);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return fc.oneof(...forms.map(next));
  if (typeof schema.type === "object")
    return fc.oneof(...schema.type.map((type) => next({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return textsOf(schema);
    case "integer":
    case "number": {
      const { minimum = schema.exclusiveMinimum === undefined ? -1000 : 1, maximum = 2 ** 40 } = schema;
      const least = Math.ceil(minimum);
      const small = fc.integer({ min: least, max: Math.min(maximum, least + 1000) });
      return fc.oneof(small, fc.constantFrom(minimum, maximum));
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(next(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "object":
      return objectsOf(schema, next, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(
  schema: Schema,
  next: (part: Schema) => fc.Arbitrary<unknown>,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0 && typeof schema.additionalProperties === "object") {
    const names = schema.propertyNames ? next(schema.propertyNames) : fc.string();
    return fc.dictionary(names as fc.Arbitrary<string>, next(schema.additionalProperties), { maxKeys: 3 });
  }
  return fc.record(Object.fromEntries(entries.map(([name, part]) => [name, known[name] ?? next(part)])), {
    // Endless code without a limit of its own would outlast every test.
    requiredKeys: [
      ...(schema.required ?? []),
      ...entries.map(([name]) => name).filter((name) => name === "timeout_ms"),
    ],
  });
}

function textsOf({ pattern, minLength = 0, maxLength = 30 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  return fc.string({ minLength, maxLength: Math.min(maxLength, 30), unit: "grapheme" }).map((text) =>
    // Counted in UTF-16 units, as the server does.
    text.slice(0, maxLength).toWellFormed(),
  );
}
