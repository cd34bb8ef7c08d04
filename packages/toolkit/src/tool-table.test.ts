import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeAliasTable, writeToolTable } from "./tool-table.ts";

it("docs/toolkit.md has the tables that the code gives", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/toolkit.md"), "utf8");
  expect(page).toContain(writeToolTable());
  expect(page).toContain(writeAliasTable());
});
