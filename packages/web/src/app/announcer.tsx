import { useEffect, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import type { Answer, Call, Item } from "../thread/conversation.ts";

/** Tells screen readers that an answer runs, asks for approval or is ready, without reading each word. */
export function Announcer({ items }: { items: readonly Item[] }) {
  const texts = useTexts();
  const running = items.findLast((item) => item.kind === "answer" && !item.done);
  const [watchedId, watch] = useState<string>();
  useEffect(() => {
    if (running) watch(running.id);
  }, [running]);
  const watched = items.findLast((item) => item.kind === "answer" && item.id === watchedId);
  const say = (): string => {
    if (running?.kind === "answer") return running.parts.some(asks) ? texts.waitsForYou : texts.answering;
    // The state when the page opens is not announced.
    if (watched?.kind !== "answer" || !watched.done) return "";
    return watched.error ? texts.answerFailed : texts.answerReady;
  };
  return (
    <p className="visually-hidden" role="status">
      {say()}
    </p>
  );
}

function asks(part: Answer["parts"][number] | Call): boolean {
  if (part.kind !== "call") return false;
  return (part.approval !== undefined && part.approval.decided === undefined) || part.calls.some(asks);
}
