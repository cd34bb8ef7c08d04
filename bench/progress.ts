const ERASE_LINE = "\r\u001B[K";

/** Goes to stderr, so that stdout has the figures alone. */
export const progress = {
  /** A line that stays. */
  note(text: string): void {
    process.stderr.write(`${process.stderr.isTTY ? ERASE_LINE : ""}bench: ${text}\n`);
  },
  /** A line that the next one replaces; shown only to a person who watches. */
  update(text: string): void {
    if (process.stderr.isTTY) process.stderr.write(`${ERASE_LINE}bench: ${text}`);
  },
};
