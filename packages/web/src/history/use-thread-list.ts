import type { AtollClient, ThreadList, ThreadSummary } from "@atoll/client";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../app/client.tsx";
import { onRefresh } from "./list-refresh.ts";
import { useHiddenThreads } from "./removals.ts";

const EVERY_MS = 8000;
const AFTER_TYPING_MS = 150;

/** Threads that are not empty, the latest used first, filtered by search words, page by page. */
export function useThreadList(words: string, currentId: string | undefined) {
  const client = useClient();
  const hidden = useHiddenThreads();
  const [threads, setThreads] = useState<readonly ThreadSummary[]>([]);
  const [isLoaded, setLoaded] = useState(false);
  const [hasMore, setMore] = useState(false);
  const [asked, setAsked] = useState({ words, pages: 1 });
  const pages = asked.words === words ? asked.pages : 1;
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      const found = await readPages(client, { words: words.trim(), pages, signal: end.signal });
      if (found) {
        setThreads(found.threads.filter(({ message_count: count }) => count > 0));
        setMore(found.cursor !== undefined);
        setLoaded(true);
      }
      clearTimeout(timer);
      if (!end.signal.aborted) lookLater();
    };
    // A page in the background does not need the list.
    const lookLater = () => {
      const isSeen = () => document.visibilityState === "visible";
      timer = setTimeout(() => (isSeen() ? void look() : lookLater()), EVERY_MS);
    };
    const forget = onRefresh(() => void look());
    timer = setTimeout(() => void look(), words === "" ? 0 : AFTER_TYPING_MS);
    return () => {
      forget();
      end.abort();
      clearTimeout(timer);
    };
  }, [client, words, currentId, pages]);
  const shown = useMemo(() => threads.filter((thread) => !hidden.has(thread.thread_id)), [threads, hidden]);
  return { threads: shown, isLoaded, hasMore, showMore: () => setAsked({ words, pages: pages + 1 }) };
}

interface Wanted {
  readonly words: string;
  readonly pages: number;
  readonly signal: AbortSignal;
}

/** The first pages joined, or undefined if one cannot be loaded. */
async function readPages(
  { threads }: AtollClient,
  { words, pages, signal }: Wanted,
): Promise<ThreadList | undefined> {
  let list: ThreadList = { threads: [] };
  for (let page = 0; page === 0 || (page < pages && list.cursor !== undefined); page += 1) {
    const before = list.cursor === undefined ? {} : { before: list.cursor };
    const query = { limit: 100, ...(words === "" ? {} : { query: words }), ...before };
    const found = await threads.list(query, { signal }).catch(() => undefined);
    if (!found) return undefined;
    list = { ...found, threads: [...list.threads, ...found.threads] };
  }
  return list;
}
