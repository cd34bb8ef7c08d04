import { useMemo, useState } from "react";
import { Markdown } from "../ui/markdown/markdown.tsx";
import { useTexts } from "../i18n/language.tsx";
import { diff, splitWords } from "../ui/code/diff.ts";
import type { ComparedTurns, Turn } from "./comparison.ts";

export function ComparedView({ compared }: { compared: readonly ComparedTurns[] }) {
  const texts = useTexts();
  const isSame = compared.every(({ kind }) => kind === "same");
  return (
    <div className="compared">
      {isSame ? <p className="quiet">{texts.noDifference}</p> : null}
      {compared.map((part, index) =>
        part.kind === "same" ? (
          <SameTurns key={index} turns={part.turns} />
        ) : (
          <DifferentTurn key={index} left={part.left} right={part.right} />
        ),
      )}
    </div>
  );
}

function SameTurns({ turns }: { turns: readonly Turn[] }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="compared-same">
      <button
        type="button"
        className="button plain small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.sameTurns(turns.length)}
      </button>
      {isOpen
        ? turns.map(({ question, answer }, index) => (
            <div key={index} className="compared-side">
              <strong>{question}</strong>
              <Markdown text={answer} />
            </div>
          ))
        : null}
    </div>
  );
}

function DifferentTurn({ left, right }: { left: Turn | undefined; right: Turn | undefined }) {
  return (
    <div className="compared-pair">
      <Side own={left} other={right} kind="removed" />
      <Side own={right} other={left} kind="added" />
    </div>
  );
}

function Side({
  own,
  other,
  kind,
}: {
  own: Turn | undefined;
  other: Turn | undefined;
  kind: "removed" | "added";
}) {
  const texts = useTexts();
  if (!own) return <div className="compared-side quiet">{texts.nothingThere}</div>;
  return (
    <div className="compared-side">
      <strong>
        <Marked own={own.question} other={other?.question} kind={kind} />
      </strong>
      <p className="pre-line">
        <Marked own={own.answer} other={other?.answer} kind={kind} />
      </p>
    </div>
  );
}

/** Marks what only this side has, not by colour alone. */
function Marked({ own, other, kind }: { own: string; other: string | undefined; kind: "removed" | "added" }) {
  const texts = useTexts();
  const stretches = useMemo(() => {
    if (other === undefined) return [{ kind: "same" as const, items: [own] }];
    const [before, after] = kind === "removed" ? [own, other] : [other, own];
    return diff(splitWords(before), splitWords(after)).filter(
      (each) => each.kind === "same" || each.kind === kind,
    );
  }, [own, other, kind]);
  return stretches.map(({ kind: found, items }, index) =>
    found === "same" || items.join("").trim() === "" ? (
      <span key={index}>{items.join("")}</span>
    ) : (
      <mark key={index} className={kind} title={texts.onlyHere}>
        {items.join("")}
      </mark>
    ),
  );
}
