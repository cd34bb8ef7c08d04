import { memo, useLayoutEffect, useRef } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { OutputPiece } from "../../thread/conversation.ts";
import { showTerminalText } from "./terminal-text.ts";

const MAX_SHOWN = 20_000;
const NEAR_PX = 24;

/** What code prints, as it comes; errors apart from the rest. */
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

/** The last of it is what counts while it runs. */
function shorten(text: string): string {
  const shown = showTerminalText(text.slice(-2 * MAX_SHOWN));
  return text.length <= MAX_SHOWN ? shown : `…\n${shown.slice(-MAX_SHOWN)}`;
}
