import { GitBranch, Loader, ShieldQuestion, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { DEFAULT_LANGUAGE, useLanguage, useTexts } from "../i18n/language.tsx";
import { useFormat } from "../ui/format.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import type { Answer, Call, Part } from "../thread/conversation.ts";
import { useThreadActions } from "../thread/actions.tsx";
import { CallCard } from "./tool-call/call-card.tsx";
import { Markdown } from "../ui/markdown/markdown.tsx";

export const AnswerView = memo(function AnswerView({ answer }: { answer: Answer }) {
  const texts = useTexts();
  const { parts, status, done, error } = answer;
  const last = parts.at(-1);
  // The card of a running call shows that itself.
  const isRunning = last?.kind === "call" && !last.reply && !asks(last);
  const isAsking = !done && parts.some((part) => part.kind === "call" && asks(part));
  return (
    <article className="answer" data-message={answer.messageId} aria-busy={!done}>
      {parts.map((part) => (
        <PartView key={part.id} part={part} isOver={done !== undefined} />
      ))}
      {done || isRunning ? null : (
        <p className="status" role="status">
          {isAsking ? (
            <ShieldQuestion size={15} aria-hidden />
          ) : (
            <Loader size={15} aria-hidden className="spin" />
          )}{" "}
          {isAsking ? texts.waitsForYou : <StatusText status={status} />}
        </p>
      )}
      {error ? (
        <p className="failure" role="alert">
          <TriangleAlert size={16} aria-hidden />
          <span>
            {error.message} {error.hint ? <span className="quiet">{error.hint}</span> : null}
          </span>
        </p>
      ) : null}
      {done ? <AnswerFoot answer={answer} /> : null}
    </article>
  );
});

/** The server's English text can say more than the code. */
function StatusText({ status }: { status: Answer["status"] | undefined }) {
  const { texts, language } = useLanguage();
  if (!status) return texts.thinking;
  return language === DEFAULT_LANGUAGE ? status.text : (texts.statuses[status.code ?? ""] ?? status.text);
}

function asks({ approval, calls }: Call): boolean {
  return (approval !== undefined && approval.decided === undefined) || calls.some(asks);
}

function PartView({ part, isOver }: { part: Part; isOver: boolean }) {
  return part.kind === "words" ? <Markdown text={part.text} /> : <CallCard call={part} isOver={isOver} />;
}

function AnswerFoot({ answer: { done, messageId, model } }: { answer: Answer }) {
  const texts = useTexts();
  const format = useFormat();
  const actions = useThreadActions();
  if (!done) return null;
  const ends = {
    completed: "",
    stopped: texts.stopped,
    failed: texts.failed,
    interrupted: texts.interrupted,
  };
  const names: Readonly<Record<string, string>> = { "built-in": texts.builtIn, you: texts.ranByHand };
  const isOwn = model === "you";
  const facts = [ends[done.status], names[model] ?? model, format.duration(done.total_ms)];
  return (
    <footer className="answer-foot">
      <span className="quiet small-text">{facts.filter((fact) => fact !== "").join(" · ")}</span>
      {isOwn ? null : <CopyButton text={done.response} />}
      {isOwn || actions.isReadOnly ? null : (
        <button type="button" className="button plain small" onClick={() => actions.regenerate(messageId)}>
          <GitBranch size={14} aria-hidden /> {texts.regenerate}
        </button>
      )}
    </footer>
  );
}
