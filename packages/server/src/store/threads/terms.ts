import { cleanText } from "./clean-text.ts";

/** What the search keeps of a text; undefined when there is nothing to find in it. */
export function cutSearchable(text: string): string | undefined {
  const kept = cleanText(text.slice(0, maxTextChars));
  return kept.trim() === "" ? undefined : kept;
}

/** The words of a query, each once. */
export function splitTerms(query: string): string[] {
  const words = cleanText(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, maxTerms).map((word) => [...word].slice(0, maxTermChars).join(""));
}

/** For LIKE with `\` as its escape. */
export function toPattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

const maxTextChars = 20_000;
const maxTerms = 8;
const maxTermChars = 100;
