const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Git puts paths with unusual characters into quotes, with their bytes as octal numbers. */
export function unquotePath(path: string): string {
  const inner = /^"(.*)"$/s.exec(path)?.[1];
  if (inner === undefined) return path;
  const bytes: Uint8Array[] = [];
  for (const [part, octal, letter] of inner.matchAll(/\\([0-7]{1,3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.of(Number.parseInt(octal, 8)));
    else if (letter !== undefined) bytes.push(Buffer.of(escapes[letter] ?? letter.charCodeAt(0)));
    else bytes.push(Buffer.from(part));
  }
  return Buffer.concat(bytes).toString("utf8");
}
