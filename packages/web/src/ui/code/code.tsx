import { memo } from "react";
import type { CodeLanguage, ColouredLine } from "./highlighting.ts";
import { useColours } from "./use-colours.ts";

export const Code = memo(function Code({ code, language }: { code: string; language?: CodeLanguage }) {
  const coloured = useColours(code, language);
  return (
    <pre className="code" tabIndex={0}>
      <code>{coloured.length === 0 ? code : <Lines code={code} coloured={coloured} />}</code>
    </pre>
  );
});

/** What is not coloured yet is there in plain. */
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
