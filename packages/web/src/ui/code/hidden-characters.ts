/** Invisible characters, and those that reorder others, such as `\\u{202e}`. */
export function revealHidden(text: string): string {
  return text.replaceAll(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

export function hasHidden(text: string): boolean {
  return text.search(hidden) >= 0;
}

const hidden =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
