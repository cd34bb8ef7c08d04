import type { ThreadSummary } from "@atoll/client";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../app/client.tsx";
import { onRefresh } from "./list-refresh.ts";
import { useHiddenThreads } from "./removals.ts";

const EVERY_MS = 8000;
const AFTER_TYPING_MS = 150;

/** Threads that hold something, latest use first; with words, those that they are found in. */
export function useThreadList(words: string, currentId: string | undefined) {
  const client = useClient();
  const hidden = useHiddenThreads();
  const [threads, setThreads] = useState<readonly ThreadSummary[]>([]);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(timer);
      const query = { limit: 100, ...(words.trim() === "" ? {} : { query: words.trim() }) };
      const found = await client.threads.list(query, { signal: end.signal }).catch(() => undefined);
      if (found) {
        setThreads(found.threads.filter(({ message_count: count }) => count > 0));
        setLoaded(true);
      }
      clearTimeout(timer);
      if (!end.signal.aborted) lookLater();
    };
    // Nobody sees the list of a page in the background.
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
  }, [client, words, currentId]);
  const shown = useMemo(() => threads.filter((thread) => !hidden.has(thread.thread_id)), [threads, hidden]);
  return { threads: shown, isLoaded };
}
