import type { ApprovalEvent } from "@atoll/client";
import { Suspense, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { LazyEditor } from "../../ui/code/lazy-editor.tsx";
import { languageOf, mainArgument, readArguments } from "../tool-call/call-text.ts";

interface ApprovalEditProps {
  readonly asked: ApprovalEvent;
  readonly isBusy: boolean;
  onAllow(input: Readonly<Record<string, unknown>>): void;
  onCancel(): void;
}

/** Edits the main argument, or else all arguments as JSON. */
export function ApprovalEdit({ asked: { tool, input }, isBusy, onAllow, onCancel }: ApprovalEditProps) {
  const texts = useTexts();
  const main = mainArgument(input);
  const [original] = useState(() => main?.text ?? JSON.stringify(input, null, 2));
  const [text, setText] = useState(original);
  const changed = main ? { ...readArguments(input), [main.name]: text } : parseObject(text);
  const ending =
    main === undefined ? "json" : main.name === "code" && languageOf(tool) === "python" ? "py" : "txt";
  return (
    <>
      <Suspense fallback={<pre className="code">{original}</pre>}>
        <LazyEditor
          text={original}
          path={`arguments.${ending}`}
          label={texts.changedArguments}
          onChange={setText}
        />
      </Suspense>
      {changed ? null : <p className="bad small-text">{texts.notJson}</p>}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isBusy || changed === undefined || text.trim() === ""}
          onClick={() => changed && onAllow(changed)}
        >
          {texts.allowEdited}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </>
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
