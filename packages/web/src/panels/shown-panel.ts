import { useSyncExternalStore } from "react";

export const PANEL_NAMES = [
  "files",
  "gallery",
  "sandbox",
  "variables",
  "terminal",
  "browser",
  "ports",
] as const;

export type PanelName = (typeof PANEL_NAMES)[number];

let shown: PanelName = "files";
const listeners = new Set<() => void>();

/** The panel in front. Kept while the side panel is closed, and for the next thread. */
export function useShownPanel(): PanelName {
  return useSyncExternalStore(subscribe, () => shown);
}

export function showPanel(name: PanelName): void {
  shown = name;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
