/** The part of JSON Schema 2020-12 that the server's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export type Definitions = Readonly<Record<string, Schema>>;

export function resolve(schema: Schema, definitions: Definitions): Schema {
  if (schema.$ref === undefined) return schema;
  const target = definitions[schema.$ref.split("/").at(-1) ?? ""];
  if (!target) throw new Error(`the document has no ${schema.$ref}`);
  return resolve(target, definitions);
}

/** What is wrong with a value, in words; nothing when it fits. */
export function findFaults(value: unknown, given: Schema, definitions: Definitions, at = "$"): string[] {
  const schema = resolve(given, definitions);
  const unknown = Object.keys(schema).filter((keyword) => !keywords.has(keyword));
  if (unknown.length > 0) return [`${at}: the test does not know the keyword ${unknown.join(", ")}`];
  const faultsOf = (part: Schema) => findFaults(value, part, definitions, at);
  return [
    ...(schema.type !== undefined && !isOfType(value, schema.type)
      ? [`${at}: ${shorten(value)} is no ${schema.type}`]
      : []),
    ...(schema.enum && !schema.enum.includes(value)
      ? [`${at}: ${shorten(value)} is none of ${schema.enum.join(", ")}`]
      : []),
    ...("const" in schema && schema.const !== value
      ? [`${at}: ${shorten(value)} is not ${schema.const}`]
      : []),
    ...(schema.allOf ?? []).flatMap(faultsOf),
    ...(schema.anyOf && !schema.anyOf.some((part) => faultsOf(part).length === 0)
      ? [`${at}: ${shorten(value)} fits no form: ${schema.anyOf.flatMap(faultsOf).slice(0, 3).join("; ")}`]
      : []),
    ...(schema.oneOf && schema.oneOf.filter((part) => faultsOf(part).length === 0).length !== 1
      ? [`${at}: ${shorten(value)} does not fit exactly one form`]
      : []),
    ...(typeof value === "string" ? findTextFaults(value, schema, at) : []),
    ...(typeof value === "number" ? findNumberFaults(value, schema, at) : []),
    ...(Array.isArray(value) ? findListFaults(value, schema, definitions, at) : []),
    ...(isObject(value) ? findObjectFaults(value, schema, definitions, at) : []),
  ];
}

const keywords = new Set([
  ..."type enum const anyOf oneOf allOf properties required additionalProperties propertyNames items".split(
    " ",
  ),
  ..."minItems maxItems pattern minLength maxLength minimum maximum exclusiveMinimum".split(" "),
  ..."description format default title".split(" "),
]);

function findTextFaults(value: string, schema: Schema, at: string): string[] {
  const { pattern, minLength = 0, maxLength = Infinity } = schema;
  const isFitting =
    (pattern === undefined || new RegExp(pattern, "u").test(value)) &&
    value.length >= minLength &&
    value.length <= maxLength;
  return isFitting ? [] : [`${at}: the text ${shorten(value)} does not fit`];
}

function findNumberFaults(value: number, schema: Schema, at: string): string[] {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  const isFitting = value >= minimum && value <= maximum && value > exclusiveMinimum;
  return isFitting ? [] : [`${at}: ${value} is out of range`];
}

function findListFaults(
  value: readonly unknown[],
  schema: Schema,
  definitions: Definitions,
  at: string,
): string[] {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  return [
    ...(value.length < minItems || value.length > maxItems ? [`${at}: ${value.length} entries`] : []),
    ...(items
      ? value.flatMap((entry, index) => findFaults(entry, items, definitions, `${at}[${index}]`))
      : []),
  ];
}

function findObjectFaults(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
  definitions: Definitions,
  at: string,
): string[] {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}: ${name} is missing`),
    ...Object.entries(value).flatMap(([name, entry]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (known === false) return [`${at}: ${name} is not known`];
      return [
        ...(propertyNames ? findFaults(name, propertyNames, definitions, `${at}(${name})`) : []),
        ...(typeof known === "object" ? findFaults(entry, known, definitions, `${at}.${name}`) : []),
      ];
    }),
  ];
}

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  if (typeof type !== "string") return type.some((each) => isOfType(value, each));
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 80);
}
