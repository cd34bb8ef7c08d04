import { useMemo } from "react";
import { Code } from "../../ui/code/code.tsx";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { FileProps } from "./file-view.tsx";
import { NotebookOutput } from "./notebook-output.tsx";
import { joinText, type Notebook, readNotebook } from "./notebook.ts";
import TextFile from "./text-file.tsx";
import { useFileText } from "../use-file-text.ts";

/** A Jupyter notebook: its cells and what they had shown. */
export default function NotebookFile(props: FileProps) {
  const { threadId, path, version } = props;
  const texts = useTexts();
  const { file, problem } = useFileText(threadId, path, version);
  const notebook = useMemo(() => readNotebook(file?.text ?? ""), [file]);
  if (problem !== undefined) return <p className="failure">{problem}</p>;
  if (!file) return null;
  if (!notebook) {
    return (
      <>
        {file.isCut ? null : <p className="notice">{texts.brokenNotebook}</p>}
        <TextFile {...props} />
      </>
    );
  }
  return (
    <div className="notebook">
      {notebook.cells.map((cell, index) => (
        <div key={index} className="notebook-cell">
          <Source kind={cell.kind} text={joinText(cell.source)} language={notebook.language} />
          {cell.outputs.map((output, at) => (
            <NotebookOutput key={at} output={output} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Source({ kind, text, language }: { kind: string; text: string; language: Notebook["language"] }) {
  if (kind === "markdown") return <Markdown text={text} />;
  return kind === "code" ? <Code code={text} language={language} /> : <pre className="value">{text}</pre>;
}
