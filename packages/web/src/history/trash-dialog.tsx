import type { Trash } from "@atoll/client";
import { RotateCcw, Trash2 } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { goTo } from "../app/route.ts";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useFormat } from "../ui/format.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { refreshThreads } from "./list-refresh.ts";

/** Threads that were deleted, by the user or by age, and can still be restored. */
export default function TrashDialog({ onClose }: { onClose(): void }) {
  const texts = useTexts();
  const client = useClient();
  const format = useFormat();
  const { attempt } = useToasts();
  const [threads, setThreads] = useState<Trash["threads"]>();
  const load = useCallback(async () => {
    const found = await attempt(client.threads.trash());
    if (found) setThreads(found.threads);
  }, [attempt, client]);
  useEffect(() => void load(), [load]);
  const restore = async (threadId: string) => {
    if (!(await attempt(client.threads.restore(threadId).then(() => true)))) return load();
    refreshThreads();
    goTo({ page: "thread", threadId });
    onClose();
  };
  const purge = async (threadId: string) => {
    await attempt(client.threads.purge(threadId));
    await load();
  };
  return (
    <Dialog className="trash" title={texts.trash} onClose={onClose}>
      <p className="quiet">{threads?.length === 0 ? texts.trashEmpty : texts.trashHint}</p>
      <ul className="trash-list">
        {threads?.map(({ thread_id: id, title, purge_at: purgeAt }) => (
          <li key={id} className="row">
            <span className="spread">
              {title ?? texts.untitled}
              <small className="quiet">{texts.purgedOn(format.moment(purgeAt))}</small>
            </span>
            <IconButton icon={RotateCcw} size={16} label={texts.restore} onClick={() => void restore(id)} />
            <IconButton icon={Trash2} size={16} label={texts.purge} onClick={() => void purge(id)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
