import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PYTHON_PACKAGES } from "./packages.mjs";

const pythonDir = join(import.meta.dirname, "../../../python");
const read = (name: string) => readFileSync(join(pythonDir, name), "utf8");
const names = PYTHON_PACKAGES.map(({ name }) => name);

test("the table and requirements.in name the same packages", () => {
  expect(listNames(read("requirements.in"))).toEqual(names);
});

test.each(["requirements", "bench"])("%s.lock pins all of %s.in by hash and names no index", (stem) => {
  const lock = read(`${stem}.lock`);
  const pinned = [...lock.matchAll(/^([\w-]+)==\S+ \\\n {4}--hash=sha256:/gm)].map((match) => match[1]);
  expect(pinned).toEqual(expect.arrayContaining(listNames(read(`${stem}.in`))));
  expect(lock).not.toMatch(/https?:|--(extra-)?index-url|--find-links /);
});

function listNames(requirements: string): string[] {
  return requirements
    .split("\n")
    .filter((line) => /^\w/.test(line))
    .map((line) => line.replaceAll("_", "-"));
}
