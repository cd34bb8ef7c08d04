/** A line of text around the first place where the term occurs. */
export function cutSnippet(text: string, term: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const at = Math.max(0, line.toLowerCase().indexOf(term.toLowerCase()));
  const start = Math.max(0, at - charsBefore);
  const end = Math.min(line.length, at + term.length + charsAfter);
  // A cut between the two halves of a character would leave a broken one.
  const cut = line.slice(start, end).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${start > 0 ? "…" : ""}${cut}${end < line.length ? "…" : ""}`;
}

const charsBefore = 40;
const charsAfter = 80;
