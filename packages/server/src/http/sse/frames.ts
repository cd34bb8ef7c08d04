import type { LogLine } from "../../store/contract.ts";

const known = new WeakMap<LogLine, string>();

/** The text of an event on the wire. Made once for all who read the same thread. */
export function frameOf(line: LogLine): string {
  let frame = known.get(line);
  if (frame === undefined) {
    frame = `id: ${line.id}\nevent: ${line.type}\ndata: ${line.json}\n\n`;
    known.set(line, frame);
  }
  return frame;
}

/** An event that is in no log. JSON has no raw line breaks, so one `data:` line holds all of it. */
export function makeFrame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
