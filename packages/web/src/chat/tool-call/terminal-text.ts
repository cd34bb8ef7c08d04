/** What a program writes for a terminal, as a terminal would leave it: no colours, and progress bars once. */
export function showTerminalText(text: string): string {
  return withoutColours(text)
    .split("\n")
    .map((line) => (line.includes("\r") ? lastWritten(line) : line))
    .join("\n");
}

export function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, "");
}

/** After a return, what follows is written over what was there. */
function lastWritten(line: string): string {
  return line
    .split("\r")
    .reduce((shown, part) => (part === "" ? shown : part + shown.slice(part.length)), "");
}
