import * as fc from "fast-check";
import { type Body, brokenBodies, bytesOf, goodBodies } from "./bodies.ts";
import { oddHeaders, ODD_METHODS } from "./headers.ts";
import { hostilePath, hostileText, hostileValue } from "./hostile-values.ts";
import { knownQuery, knownValues } from "./known-values.ts";
import type { LiveObjects } from "./live-objects.ts";
import type { Api, Operation } from "./operations.ts";
import { valuesOf } from "./schema-values.ts";

/** A request before it is bytes. Parameters that are not named here are those of something that exists. */
export interface Draft {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  /** `raw` text goes on the wire as it is, other text is encoded. */
  readonly rawParams: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly rawQuery: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body;
  readonly framing: Framing;
  readonly version: string;
}

/** How the length of the body is given: rightly, or with more than there is, or less, or in chunks that end in the middle. */
export type Framing = "length" | "chunked" | "none" | "long" | "short" | "cut chunk" | "bad chunk";

/** The plainest request that an operation ought to answer with success. */
export function plainDrafts(operation: Operation, api: Api, live: LiveObjects): fc.Arbitrary<Draft> {
  return fc
    .record({ query: goodQueries(operation, api), body: goodBodiesOf(operation, api, live) })
    .map((parts) => ({
      ...plain(operation),
      ...parts,
    }));
}

/** Requests of which most have something wrong with them. */
export function drafts(operation: Operation, api: Api, live: LiveObjects): fc.Arbitrary<Draft> {
  const { definitions } = api;
  const known = knownValues(live);
  const isCostly = /^(create|snapshot|restore|branch|chat|streamChat)|Message$/.test(operation.id);
  const broken = fc.record({
    method: mostly(9, fc.constant(operation.method), fc.constantFrom(...ODD_METHODS)),
    params: mostly(3, fc.constant({}), wrongParams(operation, fc.oneof(hostileText, fc.constant("gone")))),
    rawParams: mostly(7, fc.constant({}), wrongParams(operation, fc.constantFrom(...rawTexts))),
    query: mostly(1, goodQueries(operation, api), wrongQueries(operation)),
    rawQuery: mostly(9, fc.constant(""), fc.constantFrom(...rawQueries)),
    headers: mostly<Draft["headers"]>(
      2,
      fc.constant([]),
      fc.array(oddHeaders, { minLength: 1, maxLength: 3 }),
    ),
    body: mostly(
      isCostly ? 0 : 1,
      goodBodiesOf(operation, api, live),
      brokenBodies(operation, definitions, known),
    ),
    framing: mostly<Framing>(
      8,
      fc.constant("length"),
      fc.constantFrom("chunked", "none", "long", "short", "cut chunk", "bad chunk"),
    ),
    version: mostly(15, fc.constant("1.1"), fc.constantFrom("1.0", "2.0", "0.9", "1.2", "x")),
  });
  return mostly(isCostly ? 7 : 2, broken, plainDrafts(operation, api, live));
}

/** What the counterexample of a failed property looks like as bytes. */
export function encode(draft: Draft, operation: Operation, live: LiveObjects, port: number): Buffer {
  const address = live.address(operation.id);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return draft.rawParams[name] ?? encodeText(draft.params[name] ?? address[name] ?? "gone");
  });
  const query = draft.query.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`);
  const search = [...query, ...(draft.rawQuery === "" ? [] : [draft.rawQuery])].join("&");
  const body = bytesOf(draft.body);
  const headers: (readonly [string, string])[] = [
    ...(draft.headers.some(([name]) => name === "Host") ? [] : [["Host", `127.0.0.1:${port}`] as const]),
    ["Connection", "close"],
    ...(draft.body.type === undefined ? [] : [["Content-Type", draft.body.type] as const]),
    ...lengthHeaders(draft, body),
    ...draft.headers,
  ];
  const head = [
    `${draft.method} ${path}${search === "" ? "" : `?${search}`} HTTP/${draft.version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "utf8"), framed(draft, body)]);
}

/** The request ends too early, so that a server may well say nothing. */
export function isCutShort({ framing, headers, version }: Draft): boolean {
  return (
    ["none", "long", "cut chunk", "bad chunk", "short"].includes(framing) ||
    version !== "1.1" ||
    headers.some(([name]) => name === "Content-Length" || name === "Transfer-Encoding")
  );
}

export function plain(operation: Operation): Draft {
  return {
    method: operation.method,
    params: {},
    rawParams: {},
    query: [],
    rawQuery: "",
    headers: [],
    body: {},
    framing: "length",
    version: "1.1",
  };
}

function goodBodiesOf(operation: Operation, { definitions }: Api, live: LiveObjects): fc.Arbitrary<Body> {
  return goodBodies(operation, definitions, knownValues(live));
}

function goodQueries({ id, query }: Operation, { definitions }: Api): fc.Arbitrary<Draft["query"]> {
  const known = knownQuery(id);
  const pairs = query.map(({ name, required, schema }) => {
    const value = (known[name] ?? valuesOf(schema, definitions)).map((each) => [
      [name, String(each)] as const,
    ]);
    return required ? value : fc.oneof(value, fc.constant([]));
  });
  return fc.tuple(...pairs).map((all) => all.flat());
}

/** Wrong values, twice, or of another route. */
function wrongQueries({ query }: Operation): fc.Arbitrary<Draft["query"]> {
  const name = fc.constantFrom(
    ...query.map((each) => each.name),
    "path",
    "limit",
    "x",
    "path[]",
    "__proto__",
  );
  const value = fc.oneof(
    hostilePath,
    hostileValue.map((each) => String(JSON.stringify(each)).slice(0, 5000)),
  );
  return fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 4 });
}

function wrongParams({ pathNames }: Operation, text: fc.Arbitrary<string>) {
  if (pathNames.length === 0) return fc.constant({});
  return fc.tuple(fc.constantFrom(...pathNames), text).map(([name, value]) => ({ [name]: value }));
}

const rawTexts = [
  "",
  ".",
  "..",
  "../..",
  "%2e%2e",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%5c..%5c",
  "a/b",
  "%",
  "%zz",
  "%ff",
  "%c0%ae%c0%ae",
  "%00",
  "a%0d%0ab",
  "\\",
  "你好",
  "a b",
  "*",
  "http://evil.example/",
  "@evil.example",
  "x?y#z",
  "x".repeat(9000),
  "[]",
  "{thread_id}",
];
const rawQueries = [
  "%",
  "&&==&",
  "path=%ff",
  "path=%00",
  "=",
  "?",
  "a".repeat(8200),
  "x=1&".repeat(1500),
  "#x",
  "path=\t",
  "limit=1&limit=x",
];

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function lengthHeaders(
  { framing, body: { text, base64 } }: Draft,
  body: Buffer,
): (readonly [string, string])[] {
  if (framing === "none" || (text === undefined && base64 === undefined && framing === "length")) return [];
  if (framing === "length") return [["Content-Length", String(body.length)]];
  if (framing === "long") return [["Content-Length", String(body.length + 10)]];
  if (framing === "short") return [["Content-Length", String(Math.floor(body.length / 2))]];
  return [["Transfer-Encoding", "chunked"]];
}

function framed({ framing }: Draft, body: Buffer): Buffer {
  if (!framing.includes("chunk")) return body;
  const size = (length: number) => Buffer.from(`${length.toString(16)}\r\n`);
  const end = Buffer.from("\r\n");
  if (framing === "bad chunk") return Buffer.concat([Buffer.from("xyz\r\n"), body]);
  if (framing === "cut chunk") return Buffer.concat([size(body.length + 5), body]);
  const chunks = body.length === 0 ? [] : [size(body.length), body, end];
  return Buffer.concat([...chunks, size(0), end]);
}

function mostly<Value>(
  weight: number,
  usual: fc.Arbitrary<Value>,
  odd: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
}
