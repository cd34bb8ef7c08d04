/** A file's name with invisible and reordering characters spelled out. */
export function showName(name: string): string {
  return name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return `‹${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}
