import { useLayout } from "../../app/layout.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { showPanel } from "../shown-panel.ts";
import { useStateWords } from "./state-words.ts";
import { useStatus } from "./status-watch.ts";

/** Shows whether the sandbox is hot, warm or cold, and the expected wake time. Opens the sandbox panel. */
export function StateBadge({ threadId }: { threadId: string }) {
  const texts = useTexts();
  const { isSidePanelOpen, toggleSidePanel } = useLayout();
  const status = useStatus(threadId);
  const words = useStateWords(status);
  if (!status) return null;
  const { sandbox_status: state } = status;
  return (
    <button
      type="button"
      className={`badge ${state}`}
      title={words}
      aria-label={`${texts.sandbox}: ${texts[state]}. ${words}`}
      onClick={() => {
        showPanel("sandbox");
        if (!isSidePanelOpen) toggleSidePanel();
      }}
    >
      <span className="dot" aria-hidden />
      {texts[state]}
    </button>
  );
}
