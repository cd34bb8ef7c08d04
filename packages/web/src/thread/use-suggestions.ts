import type { DataProfile } from "@atoll/client";
import { useEffect, useState } from "react";
import { useClient } from "../app/client.tsx";
import { useTexts } from "../i18n/language.tsx";

/** Suggested questions about the thread's data. Undefined until they are loaded. */
export function useSuggestions(
  threadId: string,
  data: DataProfile | undefined,
): readonly string[] | undefined {
  const client = useClient();
  const { suggestionLanguage: language } = useTexts();
  const [suggestions, setSuggestions] = useState<readonly string[]>();
  useEffect(() => {
    const end = new AbortController();
    if (data) {
      client.threads.data(threadId, { language, signal: end.signal }).then(
        (found) => setSuggestions(found.suggestions.slice(0, 6)),
        () => setSuggestions((known) => known ?? []),
      );
    }
    return () => end.abort();
  }, [client, threadId, data, language]);
  return suggestions;
}
