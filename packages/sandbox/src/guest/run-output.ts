import type { RunOutput, Table } from "../contract/python.ts";
import { AtollError } from "../errors.ts";

const textForms = ["text", "html", "markdown", "svg", "png", "jpeg", "latex"] as const;

/** A value as the kernel shows it, where user code runs: what is not of the form that it should have is left out. */
export function parseOutput(body: Uint8Array): RunOutput {
  const given = readJson(body);
  const texts = textForms.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : []));
  const { json, table, extra } = given;
  return {
    isMain: given["isMain"] === true,
    ...(Object.fromEntries(texts) as Pick<RunOutput, (typeof textForms)[number]>),
    ...(json === undefined ? {} : { json }),
    ...(isTable(table) ? { table } : {}),
    ...(isObject(extra) ? { extra } : {}),
  };
}

function readJson(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new AtollError("protocol_error", "the kernel showed a value that cannot be read", { cause });
  }
  throw new AtollError("protocol_error", "the kernel showed a value that is none");
}

function isTable(value: unknown): value is Table {
  return (
    isObject(value) &&
    Array.isArray(value["columns"]) &&
    value["columns"].every((column) => isObject(column) && typeof column["name"] === "string") &&
    Array.isArray(value["rows"]) &&
    value["rows"].every((row) => Array.isArray(row)) &&
    Number.isSafeInteger(value["totalRows"]) &&
    Number.isSafeInteger(value["totalColumns"])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
