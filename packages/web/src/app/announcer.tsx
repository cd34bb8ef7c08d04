import { useEffect, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import type { Answer, Call, Item } from "../thread/conversation.ts";

/** For who cannot see the page: that an answer is under way, asks for something, or is there; never each of its words. */
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
    // What was there when the page was opened is not news.
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
