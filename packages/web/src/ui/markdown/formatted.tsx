import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { Code } from "../code/code.tsx";
import type { CodeLanguage } from "../code/highlighting.ts";
import { splitBlocks } from "./markdown-blocks.ts";

/** Renders no raw HTML, and images of this server only: an answer must not reach other hosts. */
export default function Formatted({ text }: { text: string }) {
  return splitBlocks(text).map((block, index) => <Block key={index} text={block} />);
}

/** Memoized: while an answer streams in, only its last block changes. */
const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} skipHtml>
      {text}
    </ReactMarkdown>
  );
});

const plugins = [remarkGfm];
const languages: Readonly<Record<string, CodeLanguage>> = {
  python: "python",
  py: "python",
  bash: "bash",
  sh: "bash",
  shell: "bash",
  json: "json",
  javascript: "javascript",
  js: "javascript",
  sql: "sql",
  diff: "diff",
};

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  img: ({ src, alt }) =>
    typeof src === "string" && src.startsWith("/") && !src.startsWith("//") ? (
      <img src={src} alt={alt ?? ""} loading="lazy" />
    ) : (
      <span className="quiet">[{alt || src}]</span>
    ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = String(children);
    const name = /language-(\w+)/.exec(className ?? "")?.[1] ?? "";
    if (!className && !text.includes("\n")) return <code className="inline-code">{children}</code>;
    const language = languages[name];
    return <Code code={text.replace(/\n$/, "")} language={language} />;
  },
  table: ({ children }) => (
    <div className="prose-table">
      <table>{children}</table>
    </div>
  ),
};
