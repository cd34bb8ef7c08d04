import { useSyncExternalStore } from "react";

/** `down`: the server does not respond. `denied`: the login has expired. */
export type Reachability = "up" | "down" | "denied";

const AGAIN_MS = 2000;
const listeners = new Set<() => void>();
let state: Reachability = "up";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Like `fetch`; the outcome is what `useReachability` reports. */
export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    show(response.status === 401 ? "denied" : "up");
    return response;
  } catch (error) {
    // An aborted request says nothing about the server.
    if (!(error instanceof DOMException && error.name === "AbortError")) show("down");
    throw error;
  }
};

export function useReachability(): Reachability {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

function show(next: Reachability): void {
  clearTimeout(timer);
  if (next === "down") timer = setTimeout(() => void watchedFetch("/healthz").catch(() => {}), AGAIN_MS);
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}
