import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../i18n/language.tsx";
import { copyText } from "./copy-text.ts";

/** `isSmall` hides the label. */
export function CopyButton({ text, isSmall = false }: { text: string; isSmall?: boolean }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
  };
  return (
    <button type="button" className="button plain small" title={texts.copy} onClick={() => void copy()}>
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span aria-live="polite" className={isSmall ? "visually-hidden" : ""}>
        {isCopied ? texts.copied : texts.copy}
      </span>
    </button>
  );
}
