import type { RunError } from "@atoll/client";
import { resolveToolName } from "@atoll/protocol";
import { toPlainText } from "@atoll/std/terminal-text";
import { memo, useLayoutEffect, useRef } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { Call, OutputPiece } from "../../thread/conversation.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";

const MAX_CHARACTERS = 20_000;
const NEAR_PX = 24;

/** What code prints, as it arrives, with stderr apart from stdout. */
export const Output = memo(function Output({
  pieces,
  isTruncated,
}: {
  pieces: readonly OutputPiece[];
  isTruncated: boolean;
}) {
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [pieces]);
  const note = isTruncated ? <p className="quiet small-text call-note">{texts.cut}</p> : null;
  if (pieces.length === 0) return note;
  return (
    <div
      ref={box}
      className="output"
      tabIndex={0}
      role="group"
      aria-label={texts.output}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {pieces.map(({ stream, text }, index) => (
        <pre key={index} className={stream}>
          {stream === "stderr" ? <span className="visually-hidden">{texts.errors}: </span> : null}
          {shorten(text)}
        </pre>
      ))}
      {note}
    </div>
  );
});

/** Keeps the end of a long output: that is what matters while code runs. */
function shorten(text: string): string {
  const shown = toPlainText(text.slice(-2 * MAX_CHARACTERS));
  return text.length <= MAX_CHARACTERS ? shown : `…\n${shown.slice(-MAX_CHARACTERS)}`;
}

export function ErrorCard({ error: { name, value, traceback } }: { error: RunError }) {
  const texts = useTexts();
  return (
    <div className="error-card" role="group" aria-label={texts.ranError}>
      <p>
        <strong>{name}</strong>: {value}
      </p>
      <details>
        <summary>{texts.traceback}</summary>
        <pre tabIndex={0}>{toPlainText(traceback)}</pre>
      </details>
    </div>
  );
}

/** What the tool answered the model. Sub-agents report in Markdown. */
export function ToolReply({ call: { tool, reply } }: { call: Call }) {
  if (!reply) return null;
  const isReport = ["task", "browser_tool"].includes(resolveToolName(tool)) && !reply.isError;
  if (isReport) {
    return (
      <div className="report">
        <Markdown text={reply.output} />
      </div>
    );
  }
  return (
    <pre className={`reply ${reply.isError ? "bad" : ""}`} tabIndex={0}>
      {reply.output}
    </pre>
  );
}
