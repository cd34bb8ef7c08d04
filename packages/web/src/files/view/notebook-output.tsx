import { Markdown } from "../../ui/markdown/markdown.tsx";
import { useTexts } from "../../i18n/language.tsx";
import { HtmlFrame } from "../../results/html-frame.tsx";
import { joinText, type NotebookOutputData } from "./notebook.ts";

/** In the best form that does nothing by itself: images as images, HTML without its scripts. */
export function NotebookOutput({ output }: { output: NotebookOutputData }) {
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
