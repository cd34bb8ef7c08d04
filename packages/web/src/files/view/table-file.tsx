import type { FileTable } from "@atoll/client";
import { useCallback, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { LoadRows } from "../../results/table/row-source.ts";
import { WholeTable } from "../../results/table/whole-table.tsx";
import type { FileProps } from "./file-view.tsx";

/** A table file, read by the sandbox. */
export default function TableFile({ threadId, path, version }: FileProps) {
  const texts = useTexts();
  const client = useClient();
  const [sheet, setSheet] = useState<string>();
  const load = useCallback<LoadRows<FileTable>>(
    (query, signal) => client.threads.tables(threadId).ofFile(path, { ...query, sheet, signal }),
    // The file may have changed after an answer.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [client, threadId, path, sheet, version],
  );
  return (
    <WholeTable load={load}>
      {({ sheets, sheet: shown, notes }) => (
        <>
          {sheets.length > 1 ? (
            <select
              className="field"
              aria-label={texts.sheet}
              value={shown ?? ""}
              onChange={(event) => setSheet(event.target.value)}
            >
              {sheets.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          ) : null}
          {notes.length > 0 ? <p className="quiet small-text table-notes">{notes.join(" ")}</p> : null}
        </>
      )}
    </WholeTable>
  );
}
