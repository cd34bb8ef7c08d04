import type { Table } from "@atoll/client";
import { Download, Expand } from "lucide-react";
import { lazy, memo, Suspense, useDeferredValue, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { useLanguage } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { saveBlob } from "../../ui/save.ts";
import { useThreadActions } from "../../thread/actions.tsx";
import { CopyRows } from "./copy-rows.tsx";
import { type Sorting, toDelimited } from "./rows.ts";
import { saveCsv } from "./save-csv.ts";
import { TableProblem } from "./table-problem.tsx";
import { TableRows } from "./table-rows.tsx";
import { useShownRows } from "./use-shown-rows.ts";

const TableDialog = lazy(() => import("./table-dialog.tsx"));

const FIRST_ROWS = 10;
/** Shorter tables get no filter. */
const FEW_ROWS = 5;

/** A table in an answer: its first rows, and the full table on demand. */
export const TableView = memo(function TableView({ table }: { table: Table }) {
  const { texts } = useLanguage();
  const format = useFormat();
  const client = useClient();
  const { show } = useToasts();
  const { threadId, isReadOnly } = useThreadActions();
  const [sorting, setSorting] = useState<Sorting>();
  const [words, setWords] = useState("");
  const [isLong, setLong] = useState(false);
  const [isDialogOpen, setDialog] = useState(false);
  const { headings, rows, found, problem } = useShownRows(table, useDeferredValue(words), sorting);
  const { total_rows: total, total_columns: columns } = table;
  const tableId = isReadOnly ? undefined : table.table_id;
  const visible = isLong ? rows : rows.slice(0, FIRST_ROWS);
  const text = (delimiter: "," | "\t") =>
    toDelimited(
      headings.map(({ name }) => name),
      rows,
      delimiter,
    );
  const download = async () => {
    if (tableId !== undefined && (await saveCsv(client.threads.tables(threadId).csvUrl(tableId)))) return;
    saveBlob(new Blob([text(",")], { type: "text/csv" }), "table.csv");
    if (rows.length < total)
      show(texts.csvInPart(format.number(rows.length), format.number(total)), { isBad: true });
  };
  return (
    <div className="table-card">
      <TableRows headings={headings} rows={visible} sorting={sorting} onSort={setSorting} />
      <TableProblem problem={problem} />
      <footer className="table-foot">
        <span className="quiet small-text" role="status">
          {found === undefined || found === total
            ? texts.tableSize(format.number(total), format.number(columns))
            : texts.rowsFound(format.number(found), format.number(total))}
        </span>
        {rows.length > FIRST_ROWS ? (
          <button
            type="button"
            className="button plain small"
            aria-expanded={isLong}
            onClick={() => setLong(!isLong)}
          >
            {isLong ? texts.fewerRows : texts.moreRows}
          </button>
        ) : null}
        {tableId === undefined ? null : (
          <button type="button" className="button plain small" onClick={() => setDialog(true)}>
            <Expand size={14} aria-hidden /> {texts.openTable}
          </button>
        )}
        <span className="spread" />
        {total > FEW_ROWS ? (
          <input
            className="field table-filter"
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder={texts.filterRows}
            aria-label={texts.filterRows}
          />
        ) : null}
        <CopyRows read={() => ({ text: text("\t"), rows: rows.length, total: found ?? total })} />
        <IconButton
          icon={Download}
          size={14}
          label={texts.downloadCsv}
          isSmall
          onClick={() => void download()}
        />
      </footer>
      {isDialogOpen && tableId !== undefined ? (
        <Suspense>
          <TableDialog threadId={threadId} tableId={tableId} onClose={() => setDialog(false)} />
        </Suspense>
      ) : null}
    </div>
  );
});
