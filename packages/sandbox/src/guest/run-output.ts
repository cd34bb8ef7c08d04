import type { RunOutput, Table } from "../contract/python.ts";
import { parseCountedJson } from "./wire/bounded-json.ts";
import { amount, fields, isObject, list, optional, type Shape, text } from "./wire/shapes.ts";

const textForms = ["text", "html", "markdown", "svg", "png", "jpeg", "latex"] as const;
/** What everyone who passes it on can write: `JSON.stringify` takes a stack frame a level. */
const maxDepth = 200;

/** Of all values of a run together: lists, objects and keys. */
export interface OutputBudget {
  parts: number;
}

export function makeOutputBudget(): OutputBudget {
  return { parts: 1_500_000 };
}

/**
 * A value as the kernel shows it, where user code runs: what is not of the form that it should have is left out. One
 * that cannot be read at all is shown as such.
 */
export function parseOutput(body: Uint8Array, budget: OutputBudget = makeOutputBudget()): RunOutput {
  const given = readJson(body, budget);
  const texts = textForms.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : []));
  const { json, table, extra } = given;
  return {
    isMain: given["isMain"] === true,
    ...(Object.fromEntries(texts) as Pick<RunOutput, (typeof textForms)[number]>),
    json,
    ...(isTable(table) ? { table } : {}),
    ...(isObject(extra) ? { extra } : {}),
  };
}

function readJson(body: Uint8Array, budget: OutputBudget): Record<string, unknown> {
  try {
    const { value, parts } = parseCountedJson(body, { maxDepth, maxParts: budget.parts });
    budget.parts -= parts;
    if (isObject(value)) return value;
    return unreadable("it is no value");
  } catch (error) {
    return unreadable(error instanceof RangeError ? error.message : "it is no JSON");
  }
}

function unreadable(reason: string): Record<string, unknown> {
  return { isMain: false, text: `(a value that cannot be shown: ${reason})` };
}

const anyList: Shape = (value, place) => (Array.isArray(value) ? undefined : `${place} is no list`);
const tableShape = fields({
  id: optional(text(200)),
  columns: list(fields({ name: text(20_000), dtype: text(20_000) })),
  rows: list(anyList),
  index: optional(anyList),
  indexNames: optional(anyList),
  totalRows: amount,
  totalColumns: amount,
});

function isTable(value: unknown): value is Table {
  return tableShape(value, "table") === undefined;
}
