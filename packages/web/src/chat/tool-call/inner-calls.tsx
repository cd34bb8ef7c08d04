import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { Call } from "../../thread/conversation.ts";
import { CallCard } from "./call-card.tsx";

/** So many are shown without asking. */
const FEW = 3;

/** What a program or another agent did for a call: seen while it works, folded when it is over and long. */
export function InnerCalls({ call: { calls }, isOver }: { call: Call; isOver: boolean }) {
  const texts = useTexts();
  const [choice, setChoice] = useState<boolean>();
  if (calls.length === 0) return null;
  const isAsking = calls.some(({ approval }) => approval && !approval.decided);
  const isOpen = choice ?? (!isOver || isAsking || calls.length <= FEW);
  return (
    <div className="inner">
      <button
        type="button"
        className="button plain small"
        aria-expanded={isOpen}
        onClick={() => setChoice(!isOpen)}
      >
        <ChevronRight size={14} aria-hidden className={isOpen ? "turned" : ""} /> {texts.steps(calls.length)}
      </button>
      {isOpen ? (
        <div className="inner-calls">
          {calls.map((inner) => (
            <CallCard key={inner.id} call={inner} isOver={isOver} isInner />
          ))}
        </div>
      ) : null}
    </div>
  );
}
