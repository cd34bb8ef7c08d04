import type { Answer, Conversation } from "../thread/conversation.ts";

/** A question with its answer. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
}

export type ComparedTurns =
  | { readonly kind: "same"; readonly turns: readonly Turn[] }
  | { readonly kind: "different"; readonly left?: Turn; readonly right?: Turn };

/** Compares turn by turn, since branches share their beginning. */
export function compareTurns(left: readonly Turn[], right: readonly Turn[]): readonly ComparedTurns[] {
  const compared: ComparedTurns[] = [];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [a, b] = [left[index], right[index]];
    const last = compared.at(-1);
    if (a && b && a.question === b.question && a.answer === b.answer) {
      if (last?.kind === "same") compared[compared.length - 1] = { kind: "same", turns: [...last.turns, a] };
      else compared.push({ kind: "same", turns: [a] });
    } else {
      compared.push({ kind: "different", left: a, right: b });
    }
  }
  return compared;
}

export function readTurns({ items }: Conversation): readonly Turn[] {
  return items.flatMap((item) => {
    if (item.kind !== "question") return [];
    const answer = items.find((each) => each.kind === "answer" && each.messageId === item.id);
    return [{ question: item.text, answer: answer?.kind === "answer" ? withoutMarks(textOf(answer)) : "" }];
  });
}

function textOf({ done, parts }: Answer): string {
  if (done && done.response !== "") return done.response;
  return parts
    .flatMap((part) => (part.kind === "words" ? [part.text] : (part.run?.output ?? [])))
    .join("\n\n");
}

/** Strips Markdown: words are compared, not formatting. */
export function withoutMarks(markdown: string): string {
  const isRuler = (line: string): boolean => /^[\s:|-]+$/.test(line) && line.includes("---");
  const lines = markdown.split("\n").filter((line) => !isRuler(line));
  return lines
    .join("\n")
    .replaceAll(/^\|(.*)\|\s*$/gm, (_, cells: string) =>
      cells
        .split("|")
        .map((cell) => cell.trim())
        .join(" · "),
    )
    .replaceAll(/^#{1,6}\s+/gm, "")
    .replaceAll(/(\*\*|__)(\S.{0,500}?\S|\S)\1/g, "$2")
    .replaceAll(/(?<!\w)([*_])(\S.{0,500}?\S|\S)\1(?!\w)/g, "$2");
}
