import type { RunOutput } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { runEventSchemas } from "@atoll/protocol/schemas";
import { toResultEvent } from "./result-event.ts";

const schema = runEventSchemas.find(({ shape }) => shape.type.value === "result");
const toEvent = (output: unknown) => toResultEvent("c1", output as RunOutput, ({ mime }) => `/kept/${mime}`);

it("leaves out what is not what it says, and keeps the rest", () => {
  const odd = [
    { isMain: false, text: 5, png: null, table: [7], html: "<b>" },
    { isMain: true, table: { columns: "x", rows: {} }, svg: 3, latex: {}, extra: { "image/gif": 4 } },
    { isMain: true, table: { columns: [{ name: "a" }], rows: [1], totalRows: "many" }, text: "kept" },
    { isMain: true, table: null, text: "kept" },
  ].map(toEvent);
  for (const event of odd) expect(schema?.parse(event)).toEqual(event);
  expect(odd).toEqual([
    { type: "result", call_id: "c1", is_main: false, html: "<b>" },
    { type: "result", call_id: "c1", is_main: true },
    { type: "result", call_id: "c1", is_main: true, text: "kept" },
    { type: "result", call_id: "c1", is_main: true, text: "kept" },
  ]);
});

it("has a table's name, under which the kernel keeps the whole", () => {
  const table = {
    id: "0a",
    columns: [{ name: "n", dtype: "int64" }],
    rows: [[1]],
    totalRows: 9,
    totalColumns: 1,
  };
  expect(toEvent({ isMain: true, table }).table).toEqual({
    table_id: "0a",
    columns: [{ name: "n", dtype: "int64" }],
    rows: [[1]],
    total_rows: 9,
    total_columns: 1,
  });
});
