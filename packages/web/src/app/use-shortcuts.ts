import { useEffect } from "react";
import { flushSync } from "react-dom";
import { SEARCH_FIELD_ID } from "../history/thread-list.tsx";
import { useLayout } from "./layout.tsx";
import { goTo } from "./route.ts";

/** Shortcuts that work everywhere in the page. */
export function useShortcuts(): void {
  const { openList, openHelp } = useLayout();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (document.querySelector("dialog[open]")) return;
      if (hasModifier && !event.shiftKey && key === "k") {
        event.preventDefault();
        // The list may have to render first.
        flushSync(openList);
        document.getElementById(SEARCH_FIELD_ID)?.focus();
      } else if (hasModifier && event.shiftKey && key === "o") {
        event.preventDefault();
        goTo({ page: "new" });
      } else if (event.key === "?" && !hasModifier && !isTyping(event)) {
        event.preventDefault();
        openHelp();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [openList, openHelp]);
}

/** Also finds fields in the shadow roots of editors and terminals. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
