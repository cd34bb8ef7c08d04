import { ArrowLeft, Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { isTextToo, kindOfFile } from "../file-kind.ts";
import { ImageFile } from "./image-file.tsx";
import { PdfFile } from "./pdf-file.tsx";
import { showName } from "../visible-name.ts";
import "./file-view.css";

const TextFile = lazy(() => import("./text-file.tsx"));
const TableFile = lazy(() => import("./table-file.tsx"));
const JsonFile = lazy(() => import("./json-file.tsx"));
const NotebookFile = lazy(() => import("./notebook-file.tsx"));
const PageFile = lazy(() => import("./page-file.tsx"));

export interface FileProps {
  readonly threadId: string;
  readonly path: string;
  /** The file is read again when it changes. */
  readonly version: number;
}

/** Shows one file by its kind. Text formats can also be shown and edited as text. */
export function FileView({ onClose, ...file }: FileProps & { onClose(): void }) {
  const texts = useTexts();
  const { threadId, path } = file;
  const [isText, setText] = useState(false);
  const url = useClient().threads.files(threadId).url(path);
  const name = path.split("/").at(-1) ?? path;
  return (
    <section className="panel fill file-view" aria-label={showName(name)}>
      <div className="panel-bar">
        <IconButton
          icon={ArrowLeft}
          size={16}
          label={texts.backToFiles}
          isSmall
          onClick={onClose}
          autoFocus
        />
        <strong className="ellipsis spread" title={showName(path)}>
          {showName(name)}
        </strong>
        {isTextToo(path) ? (
          <button type="button" className="button small" onClick={() => setText(!isText)}>
            {isText ? texts.showPreview : texts.showAsText}
          </button>
        ) : null}
        <a className="button small" href={url} download={name}>
          <Download size={14} aria-hidden /> {texts.download}
        </a>
      </div>
      <Suspense fallback={<p className="quiet">{texts.loading}</p>}>
        {isText ? <TextFile {...file} /> : <FileContent {...file} />}
      </Suspense>
    </section>
  );
}

function FileContent(file: FileProps) {
  switch (kindOfFile(file.path)) {
    case "image":
      return <ImageFile {...file} />;
    case "pdf":
      return <PdfFile {...file} />;
    case "json":
      return <JsonFile {...file} />;
    case "notebook":
      return <NotebookFile {...file} />;
    case "table":
      return <TableFile {...file} />;
    case "markdown":
    case "html":
      return <PageFile {...file} />;
    default:
      return <TextFile {...file} />;
  }
}
