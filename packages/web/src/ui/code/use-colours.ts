import { useLayoutEffect, useRef, useState } from "react";
import {
  type ColouredLine,
  type CodeLanguage,
  Colouring,
  findHighlighter,
  loadHighlighter,
} from "./highlighting.ts";

/** Past this, colours cost more than they help. */
const MAX_COLOURED = 50_000;
/** Less than half a frame, so that the page stays at hand while long code is coloured. */
const SLICE_MS = 6;

type Highlighter = ConstructorParameters<typeof Colouring>[0];

/** The code's lines as far as they are coloured: a few milliseconds at a time, and only what is new. */
export function useColours(code: string, language: CodeLanguage | undefined): readonly ColouredLine[] {
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
