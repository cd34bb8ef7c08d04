import type { Readable } from "node:stream";

/** One event of a stream as it is on the wire, with what has to be known of it to go on after it. */
export interface EventFrame {
  readonly text: string;
  /** Absent: a heartbeat. */
  readonly id?: number;
  readonly type?: string;
}

/** Whole frames, those of one piece together. What a broken stream left half is not given. */
export async function* readFrames(stream: Readable): AsyncGenerator<readonly EventFrame[]> {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const parts = (rest + String(chunk)).split("\n\n");
    rest = parts.pop() ?? "";
    if (parts.length > 0) yield parts.map(toFrame);
  }
}

/** The event itself. */
export function parseFrame({ text }: EventFrame): unknown {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return data === undefined ? undefined : JSON.parse(data);
}

function toFrame(lines: string): EventFrame {
  const head = /^id: (\d{1,15})\nevent: (\w+)\n/.exec(lines);
  const text = `${lines}\n\n`;
  return head ? { text, id: Number(head[1]), type: head[2] ?? "" } : { text };
}
