import { FileCheck, FileUp, FileX, RotateCw, X } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import type { Texts } from "../../i18n/en.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import type { Upload, Uploads } from "./use-uploads.ts";

export function UploadList({ uploads }: { uploads: Uploads }) {
  const texts = useTexts();
  if (uploads.list.length === 0) return null;
  return (
    <ul className="uploads" aria-label={texts.uploads} aria-live="polite">
      {uploads.list.map((upload) => {
        const { id, name, state, percent } = upload;
        const Icon = state === "done" ? FileCheck : state === "failed" ? FileX : FileUp;
        const shown = name || texts.unnamedFile;
        return (
          <li key={id} className={`upload ${state}`}>
            <Icon size={15} aria-hidden />
            <span className={state === "failed" ? "upload-failure" : "ellipsis"}>
              {describe({ ...upload, name: shown }, texts)}
            </span>
            {state === "sending" ? <progress max={100} value={percent} aria-label={shown} /> : null}
            {state === "failed" ? (
              <button type="button" className="button plain small" onClick={() => uploads.tryAgain(id)}>
                <RotateCw size={14} aria-hidden /> {texts.tryAgain}
              </button>
            ) : null}
            <IconButton
              icon={X}
              size={14}
              label={state === "sending" ? texts.cancelUpload(shown) : texts.hideUpload(shown)}
              isSmall
              onClick={() => uploads.drop(id)}
            />
          </li>
        );
      })}
    </ul>
  );
}

function describe({ name, state, percent, reason = "", code = "" }: Upload, texts: Texts): string {
  if (state === "done") return name;
  if (state === "sending") return percent < 100 ? texts.uploading(name, percent) : texts.readingFile(name);
  const known: Readonly<Record<string, string>> = texts.uploadRefusals;
  return texts.uploadFailed(name, known[code] ?? reason);
}
