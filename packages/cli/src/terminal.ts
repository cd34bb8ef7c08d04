/**
 * Writes what came from a sandbox. A terminal gets text, lines and colours, and no other control sequence: those can
 * rewrite what is shown, or answer for the user. A file or a pipe gets it as it is.
 */
export function show(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? stripControls(text) : text);
}

/** Colours stay. */
export function stripControls(text: string): string {
  return text.replaceAll(CONTROLS, (found) => (found.length > 1 ? found : ""));
}

/** One line without anything but text, for names. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

// oxlint-disable-next-line no-control-regex -- that is what it looks for
const CONTROLS = /\u001B\[[\d;]{0,30}m|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;
