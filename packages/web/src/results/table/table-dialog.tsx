import { useCallback } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { LoadRows } from "./row-source.ts";
import { WholeTable } from "./whole-table.tsx";

/** All rows of a table that is still in the kernel. */
export default function TableDialog(props: { threadId: string; tableId: string; onClose(): void }) {
  const { threadId, tableId, onClose } = props;
  const texts = useTexts();
  const client = useClient();
  const load = useCallback<LoadRows>(
    (query, signal) => client.threads.tables(threadId).rows(tableId, { ...query, signal }),
    [client, threadId, tableId],
  );
  return (
    <Dialog title={texts.wholeTable} className="table-dialog" onClose={onClose}>
      <WholeTable load={load} csvUrl={(order) => client.threads.tables(threadId).csvUrl(tableId, order)} />
    </Dialog>
  );
}
