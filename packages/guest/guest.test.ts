import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("the guest's Python tests pass", () => {
  const where = ["-s", "packages/guest/tests", "-t", "packages/guest"];
  const { status, stdout, stderr, error } = spawnSync(
    findPython(),
    ["-m", "unittest", "discover", ...where],
    {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 170_000,
    },
  );
  const output = [error?.message, stdout, stderr].filter(Boolean).join("\n");
  const count = Number(/^Ran (\d+) tests?/m.exec(stderr ?? "")?.[1] ?? 0);
  expect(status, output).toBe(0);
  expect(count, output).toBeGreaterThan(0);
});

/** The Python that sandboxes run. */
function findPython(): string {
  if (process.env["ATOLL_PYTHON"]) return process.env["ATOLL_PYTHON"];
  return JSON.parse(readFileSync(join(root, ".atoll/python.json"), "utf8")).python;
}
