import { Play, SquarePen } from "lucide-react";
import { Suspense, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { LazyEditor } from "../../ui/code/lazy-editor.tsx";
import { useThreadActions } from "../../thread/actions.tsx";

/** Edits the code of a run and runs it as a new turn in the same kernel. */
export function RunAgain({ code, language }: { code: string; language: "python" | "shell" }) {
  const texts = useTexts();
  const { runCode } = useThreadActions();
  const [isEditing, setEditing] = useState(false);
  const [text, setText] = useState(code);
  const [isBusy, setBusy] = useState(false);
  const edit = () => {
    setText(code);
    setEditing(true);
  };
  const run = async (written: string) => {
    if (written.trim() === "" || isBusy) return;
    setBusy(true);
    const isTaken = await runCode(written, language);
    setBusy(false);
    if (isTaken) setEditing(false);
  };
  if (!isEditing) {
    return (
      <div className="run-again">
        <button type="button" className="button plain small" onClick={edit}>
          <SquarePen size={14} aria-hidden /> {texts.rerun}
        </button>
      </div>
    );
  }
  return (
    <div className="run-again is-open">
      <Suspense fallback={<pre className="code">{text}</pre>}>
        <LazyEditor
          text={code}
          path={language === "python" ? "code.py" : "code.sh"}
          label={texts.rerunEditor}
          onChange={setText}
          onRun={(written) => void run(written)}
        />
      </Suspense>
      <div className="row">
        <button
          type="button"
          className="button primary small"
          disabled={isBusy || text.trim() === ""}
          onClick={() => void run(text)}
        >
          <Play size={14} aria-hidden /> {texts.run}
        </button>
        <button type="button" className="button small" onClick={() => setEditing(false)}>
          {texts.cancel}
        </button>
        <span className="quiet small-text">{texts.runHint}</span>
      </div>
    </div>
  );
}
