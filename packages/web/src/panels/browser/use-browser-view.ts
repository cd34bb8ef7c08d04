import type { BrowserView } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../../app/client.tsx";

const AGAIN_MS = 2000;

/** The latest frame of the thread's browser. A lost connection is made up for. */
export function useBrowserView(threadId: string): BrowserView | undefined {
  const client = useClient();
  const [view, setView] = useState<BrowserView>();
  useEffect(() => {
    const end = new AbortController();
    const watch = async () => {
      while (!end.signal.aborted) {
        try {
          for await (const next of client.browsers.watch(threadId, { signal: end.signal })) setView(next);
        } catch {
          // Whoever may not look, or cannot now, sees that no browser runs.
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void watch();
    return () => end.abort();
  }, [client, threadId]);
  return view;
}
