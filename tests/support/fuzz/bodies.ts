import * as fc from "fast-check";
import { hostileText, hostileValue } from "./hostile-values.ts";
import type { Definitions } from "./json-schema.ts";
import type { Operation } from "./operations.ts";
import { type KnownValues, valuesOf } from "./schema-values.ts";

export interface Body {
  readonly type?: string;
  /** As text, or in base64 where it is no text: a counterexample has to be readable. */
  readonly text?: string;
  readonly base64?: string;
}

export function bytesOf({ text, base64 }: Body): Buffer {
  return base64 === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(base64, "base64");
}

/** Bodies as the document asks for them. */
export function goodBodies(
  { body }: Operation,
  definitions: Definitions,
  known: KnownValues,
): fc.Arbitrary<Body> {
  if (!body) return fc.constant({});
  if (body.type === "multipart/form-data")
    return fc.array(fileNames, { minLength: 1, maxLength: 3 }).map(form);
  if (body.type !== "application/json") {
    return fc.oneof(
      hostileText.map((text) => ({ text })),
      fc.constant({ text: "", type: "text/plain" }),
    );
  }
  return valuesOf(body.schema, definitions, known).map(json);
}

/** Bodies with something wrong in them. */
export function brokenBodies(
  operation: Operation,
  definitions: Definitions,
  known: KnownValues,
): fc.Arbitrary<Body> {
  const good = goodBodies(operation, definitions, known);
  const breaking: fc.Arbitrary<Body>[] = [
    fc.constant({}),
    hostileValue.map(json),
    fc.constantFrom(...brokenJson).map((text) => ({ type: "application/json", text })),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => ({
      type: "application/json",
      base64: Buffer.from(bytes).toString("base64"),
    })),
    fc.tuple(good, fc.constantFrom(...oddTypes)).map(([body, type]) => ({ ...body, type })),
    fc.tuple(good, fc.nat(200)).map(([{ text = "", ...rest }, at]) => ({ ...rest, text: text.slice(0, at) })),
    fc.constantFrom(...brokenForms),
  ];
  if (operation.body?.type === "application/json") {
    const values = valuesOf(operation.body.schema, definitions, known);
    const names = Object.keys(valuesNamed(operation, definitions));
    const name = fc.constantFrom(...names, "extra", "__proto__", "constructor", "");
    breaking.push(
      fc.tuple(values, name, hostileValue).map(([value, key, wrong]) => json(change(value, key, wrong))),
      fc.tuple(values, name, hostileValue).map(([value, key, wrong]) => json(change(value, key, wrong))),
      fc.tuple(values, name).map(([value, key]) => json(without(value, key))),
    );
  }
  return fc.oneof(...breaking);
}

function json(value: unknown): Body {
  return { type: "application/json", text: JSON.stringify(value) };
}

const fileNames = fc.oneof(
  fc.constantFrom(
    "a.csv",
    "../../canary.txt",
    "/etc/passwd",
    "..\\x",
    "你好.csv",
    "a\0b",
    "",
    ".",
    "CON",
    "x".repeat(300),
  ),
  hostileText.map((text) => text.toWellFormed().slice(0, 300)),
);

export function form(names: readonly string[]): Body {
  const parts = names.map((name) => part(`name="files"; filename="${escape(name)}"`, "city,sales\nOslo,1\n"));
  return { type: "multipart/form-data; boundary=b0", text: `${parts.join("")}--b0--\r\n` };
}

/** As browsers do. */
function escape(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function part(disposition: string, content: string): string {
  return `--b0\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}

const file = 'name="files"; filename="a.csv"';
const boundary = "multipart/form-data; boundary=b0";
const brokenForms: readonly Body[] = [
  { type: boundary, text: "" },
  { type: boundary, text: "--b0--\r\n" },
  { type: boundary, text: "no boundary at all" },
  { type: boundary, text: part(file, "cut").slice(0, -10) },
  { type: boundary, text: part(file, "not closed") },
  { type: boundary, text: `${part("", "no name")}--b0--\r\n` },
  { type: boundary, text: `${part('name="files"', "no file")}--b0--\r\n` },
  { type: boundary, text: `${part('name="other"; filename="a"', "wrong field")}--b0--\r\n` },
  { type: boundary, text: `${part('name="n"', "").repeat(10_000)}--b0--\r\n` },
  { type: boundary, text: `${part(file, "a,b\n1,2\n").repeat(1001)}--b0--\r\n` },
  { type: boundary, text: `--b0\r\n${"X: y\r\n".repeat(3000)}\r\n\r\n--b0--\r\n` },
  { type: boundary, text: `--b0\r\nContent-Type: multipart/mixed; boundary=b1\r\n\r\n--b1--\r\n--b0--\r\n` },
  {
    type: boundary,
    text: `--b0\r\nContent-Disposition: form-data; ${file}\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n--b0--\r\n`,
  },
  { type: "multipart/form-data", text: part(file, "no boundary named") },
  { type: "multipart/form-data; boundary=", text: part(file, "empty boundary") },
  { type: `multipart/form-data; boundary=${"b".repeat(300)}`, text: part(file, "long boundary") },
  { type: 'multipart/form-data; boundary="b\\"0', text: part(file, "odd quotes") },
  { type: "multipart/mixed; boundary=b0", text: part(file, "mixed") },
];

const brokenJson = [
  "{",
  "[",
  '{"a":1,}',
  "{'a':1}",
  "NaN",
  '{"limit":1e400,"timeout_ms":-Infinity}',
  '{"message":"a","message":"b"}',
  '{"message":"\\ud800"}',
  '{"code":"\\udfff\\ud800"}',
  '{"\\ud800":1}',
  '{"message":"\u0000"}',
  "\ufeff{}",
  "{}{}",
  "null",
  '"',
  "// comment",
  "[".repeat(100_000),
  '{"a":'.repeat(5000),
  `{"message":"${"x".repeat(1_500_000)}"}`,
  `[${"1,".repeat(100_000)}1]`,
];

const oddTypes = [
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "application/json;;;=",
  "APPLICATION/JSON",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  "multipart/form-data",
  "application/vnd.api+json",
  "a".repeat(1000),
  "*/*",
];

function valuesNamed({ body }: Operation, definitions: Definitions): Readonly<Record<string, unknown>> {
  const name = body?.schema.$ref?.split("/").at(-1) ?? "";
  return definitions[name]?.properties ?? {};
}

function change(value: unknown, key: string, wrong: unknown): unknown {
  const entries = Object.entries(value as object).filter(([name]) => name !== key);
  return Object.fromEntries([...entries, [key, wrong]]);
}

function without(value: unknown, key: string): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== key));
}
