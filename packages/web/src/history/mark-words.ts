export interface MarkedText {
  readonly text: string;
  readonly isFound: boolean;
}

/** Splits a text into parts that match the words of a search and parts that do not. */
export function markWords(text: string, words: string): readonly MarkedText[] {
  const wanted = words
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return [{ text, isFound: false }];
  const pattern = new RegExp(`(${wanted.map(escape).join("|")})`, "gi");
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isFound: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}

function escape(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
