import { Clock, GitBranch, Pencil, Play, Undo2 } from "lucide-react";
import { memo } from "react";
import { useTexts } from "../i18n/language.tsx";
import type { Question } from "../thread/conversation.ts";
import { useThreadActions } from "../thread/actions.tsx";

export const QuestionView = memo(function QuestionView({ question }: { question: Question }) {
  const texts = useTexts();
  const actions = useThreadActions();
  const { id, text, state, isCode } = question;
  return (
    <article className="question" aria-label={texts.you}>
      {isCode ? <CodeBubble question={question} /> : <div className="bubble">{text}</div>}
      <div className="question-tools">
        {state === "steered" ? <span className="quiet small-text">{texts.steeredMessage}</span> : null}
        {actions.isReadOnly ? null : state === "waiting" ? (
          <>
            <span className="quiet small-text row">
              <Clock size={14} aria-hidden /> {texts.waitingMessage}
            </span>
            {isCode ? null : (
              <button
                type="button"
                className="button plain small"
                onClick={() => actions.editWaiting(question)}
              >
                <Pencil size={14} aria-hidden /> {texts.edit}
              </button>
            )}
            <button type="button" className="button plain small" onClick={() => actions.takeBack(id)}>
              <Undo2 size={14} aria-hidden /> {texts.takeBack}
            </button>
          </>
        ) : isCode ? null : (
          <button type="button" className="button plain small" onClick={() => actions.editInBranch(question)}>
            <GitBranch size={14} aria-hidden /> {texts.editInBranch}
          </button>
        )}
      </div>
    </article>
  );
});

/** Once it runs, the card below shows the code. */
function CodeBubble({ question: { text, state } }: { question: Question }) {
  const texts = useTexts();
  const { isReadOnly } = useThreadActions();
  return (
    <div className="bubble is-code">
      <span className="row">
        <Play size={14} aria-hidden /> {isReadOnly ? texts.ranByHand : texts.youRan}
      </span>
      {state === "waiting" ? <pre>{text}</pre> : null}
    </div>
  );
}
