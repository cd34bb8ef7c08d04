import { useSyncExternalStore } from "react";

/** The route is kept in the fragment, so the server serves a single page. */
export type Route =
  | { readonly page: "new"; readonly isTemporary?: boolean }
  | { readonly page: "thread"; readonly threadId: string }
  | { readonly page: "shared"; readonly shareId: string };

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return readRoute(hash);
}

const TEMPORARY_HASH = "#/temporary";

export function readRoute(hash: string): Route {
  if (hash === TEMPORARY_HASH) return { page: "new", isTemporary: true };
  const [, page, id] = /^#\/(thread|shared)\/([\w.-]{1,200})$/.exec(hash) ?? [];
  if (page === "thread" && id) return { page, threadId: id };
  if (page === "shared" && id) return { page, shareId: id };
  return { page: "new" };
}

export function goTo(route: Route, { replaces = false } = {}): void {
  const hash = writeRoute(route);
  if (hash === location.hash) return;
  if (replaces) {
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = hash;
  }
}

export function writeRoute(route: Route): string {
  if (route.page === "thread") return `#/thread/${route.threadId}`;
  if (route.page === "shared") return `#/shared/${route.shareId}`;
  return route.isTemporary ? TEMPORARY_HASH : "#/";
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
