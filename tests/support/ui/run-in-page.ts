import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Calls a function of `in-page/` in the page. Those files are written with the browser's types. */
export function runInPage<Result>(
  page: Page,
  file: string,
  name: string,
  argument?: unknown,
): Promise<Result> {
  const source = readFileSync(join(import.meta.dirname, "in-page", `${file}.ts`), "utf8");
  const script = stripTypeScriptTypes(source).replaceAll(/^export /gm, "");
  return page.evaluate(`(async () => {${script}\nreturn ${name}(${JSON.stringify(argument)});})()`);
}
