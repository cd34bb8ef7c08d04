/**
 * What a terminal has shown, as plain lines: without colours and cursor movements, and with a line that was written
 * over as it came to be. Programs that draw whole screens are not laid out.
 */
export function toPlainText(raw: string): string {
  return raw.replaceAll(sequences, "").replaceAll("\r\n", "\n").split("\n").map(settleLine).join("\n");
}

/** Commands to the terminal: one that is still incomplete, CSI, OSC, strings, other escapes. */
const sequences =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*)?$|\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*[0-~]/g;

/** Carriage returns and backspaces take effect. */
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
