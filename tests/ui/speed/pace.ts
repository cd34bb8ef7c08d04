import {
  finish,
  type Gate,
  type Piece,
  reply,
  type Stream,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";

/** Streams an answer at a steady pace, whatever the timer's resolution. */
export function paced(tokens: readonly string[], perSecond: number): Stream {
  let startedAt: number | undefined;
  const pieces = tokens.flatMap((token, at): Piece[] => {
    const due = () => (startedAt ??= performance.now()) + (at * 1000) / perSecond;
    return [waitFor(openAt(due)), text(token)];
  });
  return reply(pieces, finish("stop"));
}

/** A typical answer about data: headings, prose, lists, code and tables, repeated. */
export function writeTokens(count: number): string[] {
  const tokens: string[] = [];
  for (let at = 0; tokens.length < count; at++) tokens.push(...split(section(at)));
  return tokens.slice(0, count);
}

function openAt(due: () => number): Gate {
  const opened = Promise.withResolvers<void>();
  const reach = () => {
    const waitMs = due() - performance.now();
    if (waitMs <= 1) opened.resolve();
    else setTimeout(opened.resolve, waitMs);
  };
  return { opened: opened.promise, reached: Promise.resolve(), open: opened.resolve, reach };
}

/** About four characters per token, like a model's. */
function split(words: string): string[] {
  return words.match(/\s*\S{1,5}|\s+/g) ?? [];
}

function section(at: number): string {
  return `## Step ${at + 1}: what the numbers say

The **total amount** rose in \`2025-0${(at % 9) + 1}\`, mostly because of travel; see [the table](#step-${at}). Three things stand out:

- Rent stays as it was, at about 48,232 a year
- Groceries grow by *2.4 %* from quarter to quarter
- Dining falls where travel rises

\`\`\`python
import pandas as pd

def summarise(frame: pd.DataFrame, key: str = "category") -> pd.DataFrame:
    """Sums by category, the largest first."""
    sums = frame.groupby(key)["amount"].agg(["sum", "mean", "count"])
    return sums.sort_values("sum", ascending=False).head(${at + 5})

print(summarise(df).round(2))
\`\`\`

| category | total | share |
|---|---:|---:|
| Shopping | 99,268.24 | 23.7 % |
| Travel | 74,073.20 | 17.7 % |
| Groceries | 52,301.97 | 12.5 % |

`;
}
