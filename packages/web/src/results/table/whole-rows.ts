import type { TablePage } from "@atoll/client";
import type { CopiedRows } from "./copy-rows.tsx";
import { readHeadings } from "./headings.ts";
import type { LoadRows } from "./row-source.ts";
import { readRows, type Row, toDelimited } from "./rows.ts";

const AT_ONCE = 1000;
/** More than this is better had as a file. */
const MOST = 20_000;

/** All rows of a table for the clipboard, as far as they go. */
export async function readWhole(
  load: LoadRows,
  order: { readonly sort?: string; readonly filter?: string },
): Promise<CopiedRows> {
  const { signal } = new AbortController();
  const rows: Row[] = [];
  let page: TablePage;
  do {
    page = await load({ ...order, offset: rows.length, limit: AT_ONCE }, signal);
    rows.push(...readRows(page));
  } while (page.rows.length > 0 && rows.length < Math.min(MOST, page.filtered_total));
  const names = readHeadings(page).map(({ name }) => name);
  return { text: toDelimited(names, rows, "\t"), rows: rows.length, total: page.filtered_total };
}
