import { expect, it } from "vitest";
import { parseOutput } from "./run-output.ts";

const read = (value: unknown) => parseOutput(Buffer.from(JSON.stringify(value)));
const table = {
  columns: [{ name: "a", dtype: "int64" }],
  rows: [[1]],
  totalRows: 1,
  totalColumns: 1,
};

it("a value keeps the forms that are sound", () => {
  const whole = { isMain: true, text: "1", png: "aGk=", json: { a: [null] }, table, extra: { "x/y": 5 } };
  expect(read(whole)).toEqual(whole);
});

it("what user code made of another form is left out", () => {
  expect(read({ isMain: "yes", text: 5, html: null, png: {}, extra: [7] })).toEqual({ isMain: false });
  const broken = [
    [7],
    5,
    null,
    { ...table, rows: [1] },
    { ...table, columns: ["a"] },
    { ...table, totalRows: "1" },
  ];
  for (const each of broken)
    expect(read({ isMain: false, text: "t", table: each })).toEqual({ isMain: false, text: "t" });
});

it("what is no value at all is an error", () => {
  for (const bytes of ["", "5", "null", "[1]", "{"])
    expect(() => parseOutput(Buffer.from(bytes))).toThrow(
      expect.objectContaining({ code: "protocol_error" }),
    );
});
