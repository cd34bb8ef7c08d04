import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useClient } from "../app/client.tsx";
import { ThreadStore, type ThreadView } from "./thread-store.ts";

export function useThread(threadId: string): ThreadView {
  const client = useClient();
  const store = useMemo(() => new ThreadStore(client, threadId), [client, threadId]);
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  return useSyncExternalStore(store.subscribe, store.view);
}
