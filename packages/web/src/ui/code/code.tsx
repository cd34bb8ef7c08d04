import { memo, useLayoutEffect, useRef, useState } from "react";
import {
  type CodeLanguage,
  type ColouredLine,
  Colouring,
  findHighlighter,
  loadHighlighter,
} from "./highlighting.ts";

export const Code = memo(function Code({ code, language }: { code: string; language?: CodeLanguage }) {
  const coloured = useColours(code, language);
  return (
    <pre className="code" tabIndex={0}>
      <code>{coloured.length === 0 ? code : <Lines code={code} coloured={coloured} />}</code>
    </pre>
  );
});

/** Lines that are not coloured yet are shown plain. */
function Lines({ code, coloured }: { code: string; coloured: readonly ColouredLine[] }) {
  const texts = code.split("\n");
  return texts.map((text, index) => {
    const line = coloured[index];
    const isLast = index === texts.length - 1;
    return line?.text === text ? (
      <Line key={index} line={line} isLast={isLast} />
    ) : (
      <span key={index}>{isLast ? text : `${text}\n`}</span>
    );
  });
}

const Line = memo(function Line({ line, isLast }: { line: ColouredLine; isLast: boolean }) {
  return (
    <span>
      {line.tokens.map((token, at) => (
        <span key={at} className={token.className}>
          {token.text}
        </span>
      ))}
      {isLast ? "" : "\n"}
    </span>
  );
});

/** Longer code is shown without colours. */
const MAX_COLOURED = 50_000;
/** Less than half a frame: the page stays responsive while long code is coloured. */
const SLICE_MS = 6;

type Highlighter = ConstructorParameters<typeof Colouring>[0];

/** The lines that are coloured so far. Works a few milliseconds at a time, and only on new lines. */
function useColours(code: string, language: CodeLanguage | undefined): readonly ColouredLine[] {
  const [lines, setLines] = useState<readonly ColouredLine[]>([]);
  const colouring = useRef<Colouring>(undefined);
  useLayoutEffect(() => {
    if (language === undefined || code.length > MAX_COLOURED) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const go = (highlighter: Highlighter) => {
      if (isGone) return;
      const work = (colouring.current ??= new Colouring(highlighter, language));
      const isDone = work.advance(code, performance.now() + SLICE_MS);
      setLines(work.lines);
      if (!isDone) timer = setTimeout(() => go(highlighter));
    };
    const found = findHighlighter();
    if (found) go(found);
    else loadHighlighter().then(go, () => {});
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [code, language]);
  return lines;
}
