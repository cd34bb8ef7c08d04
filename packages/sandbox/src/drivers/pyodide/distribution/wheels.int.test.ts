import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pyodideDriver } from "../driver.ts";

test("what set-up has fetched can be imported, and is not among what is missing", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-wheels-"));
  const sandbox = await pyodideDriver.create({ dataDir });
  onTestFinished(async () => {
    await sandbox.destroy();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { stdout, error } = await sandbox.python.run(
    `
import datetime, openpyxl, zoneinfo
from dateutil import parser
book = openpyxl.Workbook()
book.active["A1"] = 42
book.save("book.xlsx")
oslo = datetime.datetime(2026, 1, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Oslo"))
print(openpyxl.load_workbook("book.xlsx").active["A1"].value, parser.parse("3 May 2026").date(), oslo.utcoffset())
`,
    { timeoutMs: 30_000 },
  );
  expect([stdout, error]).toEqual(["42 2026-05-03 1:00:00\n", undefined]);
  expect(sandbox.info.capabilities.lacks).toContain("numpy");
  expect(sandbox.info.capabilities.lacks).not.toContain("openpyxl");
});
