import { useSyncExternalStore } from "react";

/** `down`: the server does not answer. `denied`: it does, but the login is over. */
export type Reachability = "up" | "down" | "denied";

const AGAIN_MS = 2000;
const listeners = new Set<() => void>();
let state: Reachability = "up";
let timer: ReturnType<typeof setTimeout> | undefined;

/** As `fetch`; what it shows of the server is known to all who ask `useReachability`. */
export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    show(response.status === 401 ? "denied" : "up");
    return response;
  } catch (error) {
    // A request that was given up says nothing of the server.
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
