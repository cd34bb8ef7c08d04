import { Markdown } from "../../ui/markdown/markdown.tsx";
import { HtmlFrame } from "../../results/html-frame.tsx";
import { kindOfFile } from "../file-kind.ts";
import type { FileProps } from "./file-view.tsx";
import TextFile from "./text-file.tsx";
import { useFileText } from "../use-file-text.ts";

/** Renders Markdown and HTML; scripts in HTML do not run. */
export default function PageFile(props: FileProps) {
  const { threadId, path, version } = props;
  const { file, problem } = useFileText(threadId, path, version);
  if (problem !== undefined) return <p className="failure">{problem}</p>;
  if (!file) return null;
  if (file.isCut || file.encoding === "binary") return <TextFile {...props} />;
  return (
    <div className="page-file">
      {kindOfFile(path) === "html" ? <HtmlFrame html={file.text} /> : <Markdown text={file.text} />}
    </div>
  );
}
