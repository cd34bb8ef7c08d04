export interface LinesRead {
  readonly lines: readonly string[];
  /** The number of the last line that was looked at. */
  readonly lastLine: number;
  readonly hasMore: boolean;
  readonly isBinary: boolean;
}

const MAX_LINE_CHARS = 2000;

/** Reads only as far as needed, so that a file of any size costs what is asked of it. */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  range: { first: number; last: number; maxOutputChars: number; encoding?: string },
): Promise<LinesRead> {
  const decoder = new TextDecoder(range.encoding);
  const mayHaveZeros = decoder.encoding.startsWith("utf-16");
  const lines: string[] = [];
  let number = 1;
  let chars = 0;
  let line = "";
  const endLine = () => {
    if (number >= range.first) {
      lines.push(shorten(line.endsWith("\r") ? line.slice(0, -1) : line));
      chars += Math.min(line.length, MAX_LINE_CHARS);
    }
    line = "";
    number += 1;
  };
  const isEnough = () => number > range.last || chars >= range.maxOutputChars;
  for await (const chunk of stream) {
    if (!mayHaveZeros && chunk.includes(0)) return { lines: [], lastLine: 0, hasMore: false, isBinary: true };
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      if (isEnough() && !(isLast && piece === "")) {
        return { lines, lastLine: number, hasMore: true, isBinary: false };
      }
      // Of a line without end no more is kept than is shown.
      if (line.length <= MAX_LINE_CHARS) line += piece;
      if (!isLast) endLine();
    }
  }
  const hasMore = isEnough() && line !== "";
  if (line !== "" && !hasMore) endLine();
  return { lines, lastLine: number - 1, hasMore, isBinary: false };
}

function shorten(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} [line cut]` : line;
}
