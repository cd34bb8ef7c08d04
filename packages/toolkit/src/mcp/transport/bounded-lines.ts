import { Transform } from "node:stream";

/** Of the beginning and of the end of a line that is too long: there its id is looked for. */
const KEPT_BYTES = 1024;

/**
 * Passes whole lines on. One that is longer than `maxBytes` is dropped, as it comes, and `onTooLong` is given the id of
 * the request that it was, where that can be told.
 */
export function boundLines(maxBytes: number, onTooLong: (id: string | number | null) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let tail = Buffer.alloc(0);
  const add = (part: Buffer) => {
    const isFirst = size <= maxBytes;
    size += part.length;
    if (size <= maxBytes) return void parts.push(part);
    if (isFirst) parts = [Buffer.concat([...parts, part]).subarray(0, KEPT_BYTES)];
    tail = Buffer.concat([tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
  };
  const end = (lines: Transform) => {
    if (size <= maxBytes) lines.push(Buffer.concat([...parts, Buffer.from("\n")]));
    else onTooLong(findId(parts[0]?.toString("latin1") ?? "", tail.toString("latin1")));
    [parts, size, tail] = [[], 0, Buffer.alloc(0)];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        end(this);
        from = at + 1;
      }
      add(chunk.subarray(from));
      done();
    },
  });
}

/** Clients write it first or last. */
function findId(head: string, tail: string): string | number | null {
  const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")/.exec(
    head,
  )?.[1];
  const last = /"id"\s*:\s*(\d{1,15}|"[\w-]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
    tail,
  )?.[1];
  const found = id ?? last;
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
