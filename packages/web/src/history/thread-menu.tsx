import { BookOpen, Columns2, Ellipsis, FileJson, FileText, Link, Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useAsk } from "../app/questions.tsx";
import { goTo } from "../app/route.ts";
import { useToasts } from "../app/toasts.tsx";
import { useTexts } from "../i18n/language.tsx";
import { Menu } from "../ui/menu.tsx";
import { saveResponse } from "../ui/save.ts";
import { refreshThreads } from "./list-refresh.ts";
import { removeThread } from "./removals.ts";

const CompareDialog = lazy(() => import("./compare-dialog.tsx"));
const ShareDialog = lazy(() => import("./share-dialog.tsx"));

interface ThreadMenuProps {
  readonly threadId: string;
  readonly title: string | undefined;
  readonly isCurrent: boolean;
  readonly isInList?: boolean;
}

/** The actions on a whole thread. */
export function ThreadMenu({ threadId, title, isCurrent, isInList = false }: ThreadMenuProps) {
  const texts = useTexts();
  const client = useClient();
  const { attempt, show, tellFailure } = useToasts();
  const ask = useAsk();
  const [dialog, setDialog] = useState<"compare" | "share">();
  const rename = async () => {
    const wanted = await ask({ title: texts.newTitle, text: title ?? "", action: texts.rename });
    if (wanted && (await attempt(client.threads.update(threadId, { title: wanted })))) refreshThreads();
  };
  const remove = () => {
    const undo = removeThread(client, threadId, tellFailure);
    if (isCurrent) goTo({ page: "new" });
    const back = () => {
      undo();
      if (isCurrent) goTo({ page: "thread", threadId });
    };
    show(texts.removed, { action: { label: texts.undo, run: back }, shownMs: 7000 });
  };
  const save = async (format: "ipynb" | "md" | "json") => {
    const exported = await attempt(client.threads.export(threadId, format));
    if (exported) await saveResponse(exported, `${title ?? "thread"}.${format}`);
  };
  return (
    <>
      <Menu
        label={isInList ? texts.openMenu(title ?? texts.untitled) : texts.more}
        icon={<Ellipsis size={isInList ? 15 : 18} aria-hidden />}
        isSmall={isInList}
        entries={[
          { label: texts.rename, icon: <Pencil size={15} aria-hidden />, run: () => void rename() },
          { label: texts.share, icon: <Link size={15} aria-hidden />, run: () => setDialog("share") },
          { label: texts.compare, icon: <Columns2 size={15} aria-hidden />, run: () => setDialog("compare") },
          {
            label: texts.exportNotebook,
            icon: <BookOpen size={15} aria-hidden />,
            run: () => void save("ipynb"),
          },
          {
            label: texts.exportMarkdown,
            icon: <FileText size={15} aria-hidden />,
            run: () => void save("md"),
          },
          { label: texts.exportJson, icon: <FileJson size={15} aria-hidden />, run: () => void save("json") },
          { label: texts.remove, icon: <Trash2 size={15} aria-hidden />, isDangerous: true, run: remove },
        ]}
      />
      <Suspense>
        {dialog === "compare" ? (
          <CompareDialog threadId={threadId} onClose={() => setDialog(undefined)} />
        ) : null}
        {dialog === "share" ? <ShareDialog threadId={threadId} onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
    </>
  );
}
