import type { TablePage } from "@atoll/client";
import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { type CopiedRows, CopyRows } from "./copy-rows.tsx";
import { Grid } from "./grid.tsx";
import { readHeadings } from "./headings.ts";
import { type LoadRows, useRows } from "./row-source.ts";
import { type Row, type Sorting, readRows, toDelimited } from "./rows.ts";
import { saveCsv } from "./save-csv.ts";
import { TableProblem } from "./table-problem.tsx";

/** Browsers limit the height of an element, so larger tables are shown in sections. */
const MAX_SHOWN_ROWS = 100_000;

interface WholeTableProps<Page extends TablePage> {
  readonly load: LoadRows<Page>;
  /** The address of all rows, in this order, as a CSV file. */
  csvUrl?(order: { readonly sort?: string; readonly filter?: string }): string;
  /** Further controls, e.g. the choice of a sheet. */
  children?(page: Page): ReactNode;
}

/** A full table, sorted and filtered by the sandbox and loaded as needed. */
export function WholeTable<Page extends TablePage>({ load, csvUrl, children }: WholeTableProps<Page>) {
  const texts = useTexts();
  const format = useFormat();
  const [words, setWords] = useState("");
  const [sorting, setSorting] = useState<Sorting & { readonly name: string }>();
  const [start, setStart] = useState(0);
  const [isGone, setGone] = useState(false);
  const filter = useDeferredValue(words.trim());
  const order = {
    ...(sorting ? { sort: `${sorting.isDescending ? "-" : ""}${sorting.name}` } : {}),
    ...(filter === "" ? {} : { filter }),
  };
  const { page, rows, problem, need } = useRows(load, order);
  const total = page?.filtered_total ?? 0;
  const from = start < total ? start : 0;
  const count = Math.min(MAX_SHOWN_ROWS, total - from);
  const sort = (next: Sorting | undefined) => {
    const heading = page && readHeadings(page).find(({ column }) => column === next?.column);
    setSorting(next && { ...next, name: heading?.sortName ?? "" });
  };
  return (
    <div className="whole-table">
      <div className="whole-bar">
        {page ? children?.(page) : null}
        <input
          className="field"
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          placeholder={texts.filterBy}
          aria-label={texts.filterBy}
        />
        <span className="quiet small-text spread" role="status">
          {page ? describeSize(page) : ""}
        </span>
        {total > MAX_SHOWN_ROWS ? (
          <Steps
            from={from}
            count={count}
            total={total}
            onStep={(by) => setStart(from + by * MAX_SHOWN_ROWS)}
          />
        ) : null}
        {page ? <CopyRows read={() => readWhole(load, order)} /> : null}
        {csvUrl ? (
          <button
            type="button"
            className="button small"
            onClick={() => void saveCsv(csvUrl(order)).then((isSaved) => setGone(!isSaved))}
          >
            <Download size={14} aria-hidden /> {texts.downloadCsv}
          </button>
        ) : null}
      </div>
      <TableProblem problem={problem ?? (isGone ? "gone" : undefined)} />
      {page ? (
        <Grid
          key={from}
          page={page}
          start={from}
          count={count}
          rows={rows}
          sorting={sorting}
          order={`${order.sort ?? ""} ${filter}`}
          onSort={sort}
          need={need}
        />
      ) : problem ? null : (
        <p className="quiet">{texts.loading}</p>
      )}
    </div>
  );

  function describeSize({ total: all, filtered_total: found, total_columns: columns }: TablePage): string {
    if (found < all) return texts.rowsFound(format.number(found), format.number(all));
    return texts.tableSize(format.number(all), format.number(columns));
  }
}

/** Steps from one section of rows to the next. */
function Steps(props: { from: number; count: number; total: number; onStep(by: 1 | -1): void }) {
  const texts = useTexts();
  const format = useFormat();
  const { from, count, total, onStep } = props;
  return (
    <>
      <IconButton
        icon={ChevronLeft}
        size={16}
        label={texts.previousRows}
        isSmall
        disabled={from === 0}
        onClick={() => onStep(-1)}
      />
      <span className="small-text">
        {format.number(from + 1)}–{format.number(from + count)}
      </span>
      <IconButton
        icon={ChevronRight}
        size={16}
        label={texts.nextRows}
        isSmall
        disabled={from + count >= total}
        onClick={() => onStep(1)}
      />
    </>
  );
}

const AT_ONCE = 1000;
/** Larger tables are better downloaded. */
const MOST = 20_000;

/** The rows of a table for the clipboard, up to a limit. */
async function readWhole(
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
