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

it("what cannot be read is shown as such", () => {
  for (const bytes of ["", "5", "null", "[1]", "{", '{"text":"\\'])
    expect(parseOutput(Buffer.from(bytes))).toEqual({
      isMain: false,
      text: expect.stringMatching(/cannot be shown/),
    });
});

it("a value nested deeper than can be written down again is shown as such", () => {
  const deep = `{"isMain":true,"json":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  expect(parseOutput(Buffer.from(deep))).toEqual({
    isMain: false,
    text: expect.stringMatching(/nested deeper than/),
  });
  const bearable = { isMain: true, json: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) as unknown };
  expect(read(bearable)).toEqual(bearable);
});

it("brackets in a text nest nothing", () => {
  const text = `${"[{".repeat(5000)}"quoted\\"\\\\`;
  expect(read({ isMain: true, text })).toEqual({ isMain: true, text });
});

it("values that together have too many parts are shown as such", () => {
  const budget = { parts: 10 };
  const body = Buffer.from('{"isMain":true,"json":[[],[],[]]}');
  expect(parseOutput(body, budget)).toEqual({ isMain: true, json: [[], [], []] });
  expect(parseOutput(body, budget).text).toMatch(/cannot be shown/);
});
