/** `*` is any text; a backslash takes its meaning away. No regular expression: one can take forever on a hostile text. */
export function matches(pattern: string, text: string): boolean {
  const pieces = splitAtStars(pattern);
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const between = text.slice(first.length, text.length - last.length);
  let at = 0;
  for (const piece of others) {
    const found = between.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** The pattern that only this text matches. */
export function escape(text: string): string {
  return text.replaceAll(/[*\\]/g, String.raw`\$&`);
}

function splitAtStars(pattern: string): string[] {
  const pieces = [""];
  for (const [token] of pattern.matchAll(/\\[*\\]|[^]/g)) {
    if (token === "*") pieces.push("");
    else pieces[pieces.length - 1] += token.length === 2 ? token.slice(1) : token;
  }
  return pieces;
}
