import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { digestFacts, readJson, readStamp, writeStamp } from "./stamp.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "atoll-stamp-"));
  const created = folder;
  onTestFinished(() => rmSync(created, { recursive: true }));
});

test("the digest changes with a file's content, its absence and any text", () => {
  const file = join(folder, "lock");
  const absent = digestFacts({ files: [file] });
  writeFileSync(file, "one");
  const one = digestFacts({ files: [file] });
  writeFileSync(file, "two");
  const two = digestFacts({ files: [file] });
  const withText = digestFacts({ files: [file], texts: ["x64"] });
  expect(new Set([absent, one, two, withText]).size).toBe(4);
  expect(digestFacts({ files: [file] })).toBe(two);
});

test("a stamp is trusted only with the digest it was written with", () => {
  writeStamp(folder, "npm", "abc", { failure: "none" });
  expect(readStamp(folder, "npm", "abc")).toMatchObject({ failure: "none" });
  expect(readStamp(folder, "npm", "abd")).toBeUndefined();
  expect(readStamp(folder, "python", "abc")).toBeUndefined();
});

test("a torn or foreign file reads as absent", () => {
  const file = join(folder, "python.json");
  writeFileSync(file, `{ "python": "/usr`);
  expect(readJson(file)).toBeUndefined();
  writeFileSync(file, "null");
  expect(readJson(file)).toBeUndefined();
});
