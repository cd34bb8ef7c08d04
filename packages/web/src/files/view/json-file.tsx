import { useMemo } from "react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import type { FileProps } from "./file-view.tsx";
import TextFile from "./text-file.tsx";
import { useFileText } from "../use-file-text.ts";

/** JSON as a collapsible tree. Invalid or too long JSON is shown as text. */
export default function JsonFile(props: FileProps) {
  const { threadId, path, version } = props;
  const texts = useTexts();
  const { file, problem } = useFileText(threadId, path, version);
  const parsed = useMemo(() => parse(file?.text ?? ""), [file]);
  if (problem !== undefined) return <p className="failure">{problem}</p>;
  if (!file) return null;
  if (!parsed) {
    return (
      <>
        {file.isCut ? null : <p className="notice">{texts.brokenJson}</p>}
        <TextFile {...props} />
      </>
    );
  }
  return (
    <div className="json-tree mono">
      <Node value={parsed.value} depth={0} />
    </div>
  );
}

const MOST_CHILDREN = 500;

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const texts = useTexts();
  const format = useFormat();
  const label = name === undefined ? null : <span className="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div>
        {label}
        <span className={`json-${value === null ? "null" : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details open={depth < 2}>
      <summary>
        {label}
        <span className="quiet">{summary}</span>
      </summary>
      <div className="json-children">
        {entries.slice(0, MOST_CHILDREN).map(([key, child]) => (
          <Node key={key} name={key} value={child} depth={depth + 1} />
        ))}
        {entries.length > MOST_CHILDREN ? (
          <div className="quiet">{texts.andMore(format.number(entries.length - MOST_CHILDREN))}</div>
        ) : null}
      </div>
    </details>
  );
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
