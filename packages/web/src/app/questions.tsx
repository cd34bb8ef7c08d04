import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface Question {
  readonly title: string;
  readonly text: string;
  readonly isLong?: boolean;
  readonly action: string;
}

type Ask = (question: Question) => Promise<string | undefined>;

const AskContext = createContext<Ask | undefined>(undefined);

/** Asks the user for a text in a dialog. */
export function QuestionProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Question & { resolve(text: string | undefined): void }>();
  const ask = useCallback<Ask>((question) => new Promise((resolve) => setOpen({ ...question, resolve })), []);
  return (
    <AskContext value={ask}>
      {children}
      {open ? (
        <QuestionDialog
          question={open}
          onEnd={(text) => {
            setOpen(undefined);
            open.resolve(text);
          }}
        />
      ) : null}
    </AskContext>
  );
}

/** Resolves with undefined if the user cancels. */
export function useAsk(): Ask {
  const ask = useContext(AskContext);
  if (!ask) throw new Error("outside of QuestionProvider");
  return ask;
}

function QuestionDialog({ question, onEnd }: { question: Question; onEnd(text: string | undefined): void }) {
  const texts = useTexts();
  const [text, setText] = useState(question.text);
  const isEmpty = text.trim() === "";
  const field = {
    className: "field",
    value: text,
    "data-first": true,
    "aria-label": question.title,
    onChange: (event: { target: { value: string } }) => setText(event.target.value),
  };
  return (
    <Dialog className="question-dialog" title={question.title} onClose={() => onEnd(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) onEnd(text.trim());
        }}
      >
        {question.isLong ? <textarea rows={6} {...field} /> : <input {...field} />}
        <div className="row dialog-actions">
          <button type="button" className="button" onClick={() => onEnd(undefined)}>
            {texts.cancel}
          </button>
          <button type="submit" className="button primary" disabled={isEmpty}>
            {question.action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
