import { useSyncExternalStore } from "react";

/** Open dialogs, the front one last. Only the front one can be used and is read out. */
const open: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** The returned function removes it. */
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
