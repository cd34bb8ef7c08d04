import { FileText } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";

export function LongPaste(props: { text: string; onAttach(): void; onKeep(): void }) {
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
