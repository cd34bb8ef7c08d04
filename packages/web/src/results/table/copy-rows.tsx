import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { useFormat } from "../../ui/format.ts";
import { IconButton } from "../../ui/icon-button.tsx";

export interface CopiedRows {
  readonly text: string;
  readonly rows: number;
  readonly total: number;
}

/** Copies rows and says how many, since a large table is copied in part. */
export function CopyRows({ read }: { read(): Promise<CopiedRows> | CopiedRows }) {
  const texts = useTexts();
  const format = useFormat();
  const [copied, setCopied] = useState<CopiedRows>();
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(undefined), 4000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const found = await read();
    await copyText(found.text);
    setCopied(found);
  };
  return (
    <>
      <span className="small-text good" role="status">
        {copied ? texts.rowsCopied(format.number(copied.rows), format.number(copied.total)) : ""}
      </span>
      <IconButton
        icon={copied ? Check : Copy}
        size={14}
        label={texts.copyTable}
        isSmall
        onClick={() => void copy()}
      />
    </>
  );
}
