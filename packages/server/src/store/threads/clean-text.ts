/** One form for each character, and none that SQLite would take for the end of a text. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").normalize("NFC");
}
