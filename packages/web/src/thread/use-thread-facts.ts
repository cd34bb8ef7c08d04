import type { TemporaryThread } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { refreshThreads } from "../history/list-refresh.ts";
import { useTexts } from "../i18n/language.tsx";

interface ThreadFacts {
  readonly title: string | undefined;
  /** Undefined for a lasting thread, and until loaded. */
  readonly temporary: TemporaryThread | undefined;
}

/** Facts that are not in the thread's log, such as the title it was created with. */
export function useThreadFacts(threadId: string, loggedTitle: string | undefined): ThreadFacts {
  const client = useClient();
  const [facts, setFacts] = useState<ThreadFacts>();
  useEffect(() => {
    const end = new AbortController();
    client.threads.get(threadId, { signal: end.signal }).then(
      ({ title, temporary }) => setFacts({ title: title ?? undefined, temporary }),
      () => {},
    );
    return () => end.abort();
  }, [client, threadId]);
  useEffect(() => {
    if (loggedTitle !== undefined) refreshThreads();
  }, [loggedTitle]);
  const title = loggedTitle ?? facts?.title;
  const { appName } = useTexts();
  useEffect(() => {
    document.title = title === undefined ? appName : `${title} · ${appName}`;
    return () => {
      document.title = appName;
    };
  }, [title, appName]);
  return { title, temporary: facts?.temporary };
}
