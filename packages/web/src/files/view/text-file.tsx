import { useTexts } from "../../i18n/language.tsx";
import { Editor } from "../../ui/code/editor.tsx";
import { useFormat } from "../../ui/format.ts";
import type { FileProps } from "./file-view.tsx";
import { canWrite } from "../tree/use-entry-actions.tsx";
import { useDraft } from "./use-draft.ts";
import { type FileText, useFileText } from "../use-file-text.ts";
import { showName } from "../visible-name.ts";

/** A text editor. Read-only if the file is uploaded data or was not read whole. */
export default function TextFile({ threadId, path, version }: FileProps) {
  const texts = useTexts();
  const format = useFormat();
  const { file, problem } = useFileText(threadId, path, version);
  if (problem !== undefined) return <p className="failure">{problem}</p>;
  if (!file) return <p className="quiet">{texts.loading}</p>;
  if (file.encoding === "binary")
    return <p className="quiet">{texts.binaryFile(format.bytes(file.sizeBytes))}</p>;
  const obstacle = file.isCut
    ? texts.fileCutAt(format.bytes(2_000_000), format.bytes(file.sizeBytes))
    : file.encoding === "other"
      ? texts.otherEncoding
      : canWrite(path)
        ? undefined
        : texts.readOnlyFile;
  if (obstacle === undefined) return <TextEditor threadId={threadId} path={path} file={file} />;
  return (
    <>
      <p className="quiet small-text">{obstacle}</p>
      <Editor text={file.text} path={path} label={showName(path)} isReadOnly />
    </>
  );
}

function TextEditor({ threadId, path, file }: { threadId: string; path: string; file: FileText }) {
  const texts = useTexts();
  const draft = useDraft(threadId, path, file);
  return (
    <div
      className="text-editor"
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void draft.save();
      }}
    >
      {draft.isOutdated ? (
        <div className="notice row" role="alert">
          <span className="spread">{texts.fileChanged}</span>
          <button type="button" className="button small" onClick={() => void draft.takeTheirs()}>
            {texts.takeTheirs}
          </button>
          <button type="button" className="button small" onClick={() => void draft.save({ isForced: true })}>
            {texts.saveMine}
          </button>
        </div>
      ) : null}
      <Editor
        key={draft.revision}
        text={draft.start}
        path={path}
        label={showName(path)}
        onChange={draft.change}
      />
      <div className="panel-bar">
        <span className="quiet small-text spread" role="status">
          {draft.isChanged ? texts.unsaved : ""}
        </span>
        <button
          type="button"
          className="button primary small"
          disabled={!draft.isChanged || draft.isOutdated}
          onClick={() => void draft.save()}
          title="Ctrl+S"
        >
          {texts.save}
        </button>
      </div>
    </div>
  );
}
