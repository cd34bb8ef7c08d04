import { Keyboard, Plus, Search, Timer, Trash2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useLayout } from "../app/layout.tsx";
import { goTo } from "../app/route.ts";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ThreadEntry } from "./thread-entry.tsx";
import { arrangeThreads } from "./thread-tree.ts";
import { useThreadList } from "./use-thread-list.ts";

const TrashDialog = lazy(() => import("./trash-dialog.tsx"));

/** The search field, which Ctrl+K focuses. */
export const SEARCH_FIELD_ID = "search-threads";

export function ThreadList({ currentId, onChosen }: { currentId?: string | undefined; onChosen(): void }) {
  const texts = useTexts();
  const { openHelp } = useLayout();
  const [words, setWords] = useState("");
  const [isTrashOpen, setTrashOpen] = useState(false);
  const { threads, isLoaded, hasMore, showMore } = useThreadList(words, currentId);
  const begin = (kind: { isTemporary?: boolean }) => {
    goTo({ page: "new", ...kind });
    onChosen();
  };
  const isSearch = words.trim() !== "";
  const groups = useMemo(() => arrangeThreads(threads), [threads]);
  const titles = { today: texts.today, yesterday: texts.yesterday, week: texts.thisWeek, older: texts.older };
  const entry = (thread: (typeof threads)[number], depth: number) => (
    <ThreadEntry
      key={thread.thread_id}
      thread={thread}
      depth={depth}
      words={words}
      isCurrent={thread.thread_id === currentId}
      onChosen={onChosen}
    />
  );
  return (
    <>
      <div className="list-head">
        <div className="row">
          <button type="button" className="button primary spread" onClick={() => begin({})}>
            <Plus size={16} aria-hidden /> {texts.newThread}
          </button>
          <IconButton
            icon={Timer}
            size={18}
            label={texts.newTemporary}
            onClick={() => begin({ isTemporary: true })}
          />
        </div>
        <label className="search">
          <Search size={15} aria-hidden />
          <input
            id={SEARCH_FIELD_ID}
            type="search"
            value={words}
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || words === "") return;
              event.preventDefault();
              setWords("");
            }}
            placeholder={texts.searchThreads}
            aria-label={texts.searchThreads}
            aria-keyshortcuts="Control+K Meta+K"
          />
        </label>
      </div>
      <nav className="threads" aria-label={texts.threads}>
        {isLoaded ? null : <ListSkeleton />}
        {isLoaded && threads.length === 0 ? (
          <p className="quiet small-text">{isSearch ? texts.nothingFound : texts.noThreads}</p>
        ) : null}
        {isSearch ? (
          <ul>{threads.map((thread) => entry(thread, 0))}</ul>
        ) : (
          groups.map(({ age, list }) => (
            <section key={age}>
              <h2>{titles[age]}</h2>
              <ul>{list.map(({ thread, depth }) => entry(thread, depth))}</ul>
            </section>
          ))
        )}
        {hasMore ? (
          <button type="button" className="button plain small" onClick={showMore}>
            {texts.showOlder}
          </button>
        ) : null}
        {isLoaded && !isSearch ? (
          <button type="button" className="button plain small quiet" onClick={() => setTrashOpen(true)}>
            <Trash2 size={15} aria-hidden /> {texts.trash}
          </button>
        ) : null}
      </nav>
      <Suspense>{isTrashOpen ? <TrashDialog onClose={() => setTrashOpen(false)} /> : null}</Suspense>
      <div className="list-foot wide-only">
        <button type="button" className="button plain small" onClick={openHelp}>
          <Keyboard size={15} aria-hidden /> {texts.help} <kbd>?</kbd>
        </button>
      </div>
    </>
  );
}

function ListSkeleton() {
  return (
    <div className="skeleton-list" aria-hidden>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton" />
    </div>
  );
}
