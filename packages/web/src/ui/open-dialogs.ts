import { useSyncExternalStore } from "react";

/** Dialogs that are open, the front one last. What is outside of it can be neither used nor read out. */
const open: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** Until the returned function is called. */
export function addDialog(dialog: HTMLElement): () => void {
  open.push(dialog);
  tell();
  return () => {
    open.splice(open.indexOf(dialog), 1);
    tell();
  };
}

export function useFrontDialog(): HTMLElement | undefined {
  return useSyncExternalStore(subscribe, () => open.at(-1));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
