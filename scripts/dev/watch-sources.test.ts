import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchSources } from "./watch-sources.ts";

test("changes of sources below are told once, those of tests and by-products not at all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atoll-watch-"));
  mkdirSync(join(folder, "below/__pycache__"), { recursive: true });
  const told: string[] = [];
  const stop = watchSources([folder], (path) => told.push(path.split("/").slice(-2).join("/")));
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ["a.test.ts", "__pycache__/a.py", ".a.ts", "a.ts~"])
    writeFileSync(join(folder, "below", name), "1");
  writeFileSync(join(folder, "below/a.ts"), "1");
  writeFileSync(join(folder, "below/b.py"), "1");
  await expect.poll(() => told).toEqual(["below/a.ts"]);
  writeFileSync(join(folder, "below/b.py"), "2");
  await expect.poll(() => told).toEqual(["below/a.ts", "below/b.py"]);
});
