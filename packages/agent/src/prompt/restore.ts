import type { Restore } from "../request.ts";

const shownNames = 60;
const shownLosses = 30;
const longestWord = 200;

/** What became of the variables, in words: for the model, and for the user in the thread's log. */
export function describeRestore({ restored, lost, variablesAt, isEmpty = false }: Restore): string {
  const sentences = ["The sandbox was restored: its files are as they were."];
  if (isEmpty) sentences.push("Its variables are gone; only the tables are loaded again.");
  if (restored.length > 0) sentences.push(`These variables are back: ${list(restored, shownNames)}.`);
  if (variablesAt !== undefined)
    sentences.push(`They are as of ${variablesAt}: what was done with them after that is lost.`);
  if (lost.length > 0) {
    const losses = lost.map(
      ({ name, type, reason }) => `${name} (${[type, reason].filter(Boolean).join(": ")})`,
    );
    sentences.push(`These are lost, to be made again if needed: ${list(losses, shownLosses)}.`);
  }
  return sentences.join(" ");
}

function list(words: readonly string[], most: number): string {
  const more = words.length > most ? ` and ${words.length - most} more` : "";
  return `${words.slice(0, most).map(inOneLine).join(", ")}${more}`;
}

/** Names and types come out of the sandbox: they may be anything. */
function inOneLine(word: string): string {
  const plain = word.replaceAll(/[\s\p{C}]+/gu, " ");
  return plain.length <= longestWord ? plain : `${plain.slice(0, longestWord - 1)}…`;
}
