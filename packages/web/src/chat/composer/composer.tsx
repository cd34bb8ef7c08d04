import { ArrowUp, FileText, Paperclip, Square } from "lucide-react";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { FilePicker } from "../../files/upload/file-picker.tsx";
import { UploadList } from "../../files/upload/upload-list.tsx";
import type { Uploads } from "../../files/upload/use-uploads.ts";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { isLong, nameText } from "./pasted-text.ts";

interface ComposerProps {
  readonly text: string;
  readonly isRunning: boolean;
  readonly uploads: Uploads;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  setText(text: string): void;
  send(): void;
  stop(): void;
  /** ↑ in an empty field: brings back the last question. */
  recall(): void;
}

export function Composer(props: ComposerProps) {
  const { text, isRunning, uploads, field, setText, send, stop, recall } = props;
  const texts = useTexts();
  const picker = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState<string>();
  const canSend = text.trim() !== "" && !uploads.isBusy;

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [field, text]);
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [field]);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTaken =
        event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]") !== null;
      if (event.key === "Escape" && isRunning && !isTaken) stop();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isRunning, stop]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (canSend) send();
    } else if (event.key === "ArrowUp" && text === "") {
      event.preventDefault();
      recall();
    }
  };

  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const words = event.clipboardData.getData("text/plain");
    if (event.clipboardData.files.length > 0 || !isLong(words)) return;
    event.preventDefault();
    setPasted(words);
  };
  const attach = (words: string) => {
    uploads.add([new File([words], nameText(words, texts.pastedName), { type: "text/plain" })]);
    setPasted(undefined);
    field.current?.focus();
  };
  const keep = (words: string) => {
    const { selectionStart: start = text.length, selectionEnd: end = text.length } = field.current ?? {};
    setText(text.slice(0, start) + words + text.slice(end));
    setPasted(undefined);
    field.current?.focus();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) send();
      }}
    >
      <UploadList uploads={uploads} />
      {pasted === undefined ? null : (
        <LongPaste text={pasted} onAttach={() => attach(pasted)} onKeep={() => keep(pasted)} />
      )}
      <div className="composer-box">
        <IconButton icon={Paperclip} size={18} label={texts.attach} onClick={() => picker.current?.click()} />
        <FilePicker picker={picker} onPick={uploads.add} />
        <textarea
          ref={field}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          placeholder={texts.askPlaceholder}
          aria-label={texts.message}
        />
        {isRunning ? (
          <button
            type="button"
            className="icon-button stop"
            onClick={stop}
            title={texts.stopHint}
            aria-label={texts.stop}
          >
            <Square size={16} aria-hidden fill="currentColor" />
          </button>
        ) : null}
        <IconButton
          icon={ArrowUp}
          size={18}
          label={texts.send}
          className="send"
          type="submit"
          disabled={!canSend}
        />
      </div>
    </form>
  );
}

/** Input methods use Enter to choose a word and Esc to cancel; older browsers report them as key 229. */
function isComposing({ isComposing: isIt, keyCode }: globalThis.KeyboardEvent): boolean {
  // oxlint-disable-next-line no-deprecated
  return isIt || keyCode === 229;
}

function LongPaste(props: { text: string; onAttach(): void; onKeep(): void }) {
  const texts = useTexts();
  const format = useFormat();
  return (
    <div className="long-paste" role="group" aria-label={texts.longPaste("")}>
      <FileText size={16} aria-hidden />
      <span className="spread">{texts.longPaste(format.bytes(new Blob([props.text]).size))}</span>
      <button type="button" className="button small primary" onClick={props.onAttach}>
        {texts.attachText}
      </button>
      <button type="button" className="button small" onClick={props.onKeep}>
        {texts.keepText}
      </button>
    </div>
  );
}
