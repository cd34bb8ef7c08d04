/**
 * What a terminal shows of a program's output, as plain lines: without colours and cursor movements, and with each
 * progress bar as its last step. Whole-screen programs are not laid out.
 * @example toPlainText(" 10%\r100%\n\u001b[31mred\u001b[0m") // "100%\nred"
 */
export function toPlainText(raw: string): string {
  return raw.replaceAll(SEQUENCES, "").replaceAll("\r\n", "\n").split("\n").map(settleLine).join("\n");
}

/**
 * Commands to the terminal: an incomplete one at the end, CSI, OSC, strings, other escapes. `stripVTControlCharacters`
 * of Node leaves incomplete ones, and browsers do not have it.
 */
const SEQUENCES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*)?$|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*[0-~]/g;

/** Applies carriage returns and backspaces. */
function settleLine(line: string): string {
  const shown: string[] = [];
  let at = 0;
  for (const char of line) {
    if (char === "\r") at = 0;
    else if (char === "\b") at = Math.max(0, at - 1);
    else if (char >= " " || char === "\t") shown[at++] = char;
  }
  return shown.join("").trimEnd();
}
