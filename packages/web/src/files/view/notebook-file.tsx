import { useMemo } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { HtmlFrame } from "../../results/html-frame.tsx";
import { Code } from "../../ui/code/code.tsx";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { useFileText } from "../use-file-text.ts";
import type { FileProps } from "./file-view.tsx";
import { type Notebook, type NotebookOutputData, joinText, readNotebook } from "./notebook.ts";
import TextFile from "./text-file.tsx";

/** A Jupyter notebook: its cells and their outputs. */
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

/** The richest form that runs no code: images, HTML without scripts, text. */
function NotebookOutput({ output }: { output: NotebookOutputData }) {
  const texts = useTexts();
  const { text, data = {}, ename, evalue } = output;
  const image = findImage(data);
  if (image !== undefined) return <img className="notebook-image" src={image} alt={texts.image} />;
  const html = joinText(data["text/html"]);
  if (html !== "") return <HtmlFrame html={html} />;
  const markdown = joinText(data["text/markdown"]);
  if (markdown !== "") return <Markdown text={markdown} />;
  if (typeof ename === "string") {
    return (
      <p className="failure">
        {ename}: {joinText(evalue)}
      </p>
    );
  }
  const plain = joinText(text ?? data["text/plain"]);
  return plain === "" ? null : <pre className="value">{withoutColours(plain)}</pre>;
}

function findImage(data: Readonly<Record<string, unknown>>): string | undefined {
  for (const type of ["image/png", "image/jpeg"]) {
    const base64 = joinText(data[type]).replaceAll(/\s/g, "");
    if (base64 !== "") return `data:${type};base64,${base64}`;
  }
  const svg = joinText(data["image/svg+xml"]);
  return svg === "" ? undefined : `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[[\d;]*m/g, "");
}
