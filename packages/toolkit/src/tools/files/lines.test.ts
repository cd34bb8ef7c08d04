import { describe, expect, it } from "vitest";
import { readLines } from "./lines.ts";

function read(
  text: string | Uint8Array,
  first: number,
  last: number,
  { maxOutputChars = 10_000, chunkBytes = 5 } = {},
) {
  const bytes = Buffer.from(text as string);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  return readLines(ReadableStream.from(chunks), { first, last, maxOutputChars });
}

describe("reading lines", () => {
  it("gives a range, whether or not the last line ends", async () => {
    for (const end of ["", "\n"]) {
      expect(await read(`one\ntwo\nthree${end}`, 2, 3)).toMatchObject({
        lines: ["two", "three"],
        hasMore: false,
      });
      expect(await read(`one\ntwo\nthree${end}`, 1, 2)).toMatchObject({
        lines: ["one", "two"],
        hasMore: true,
      });
      expect(await read(`one\ntwo\nthree${end}`, 7, 9)).toMatchObject({ lines: [], lastLine: 3 });
    }
  });

  it("reads characters that are split over chunks, and Windows line ends", async () => {
    for (const chunkBytes of [1, 2, 3]) {
      expect(await read("Käse 🧀\r\nBrot\r\n", 1, 9, { chunkBytes })).toMatchObject({
        lines: ["Käse 🧀", "Brot"],
      });
    }
  });

  it("stops when it has enough, and does not read on", async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(Buffer.from("line\n".repeat(100)));
      },
    });
    const result = await readLines(endless, { first: 150, last: 151, maxOutputChars: 1000 });
    expect(result).toMatchObject({ lines: ["line", "line"], hasMore: true });
    expect(chunks).toBeLessThan(5);
  });

  it("shortens a line without end", async () => {
    const { lines } = await read("x".repeat(9000), 1, 1, { chunkBytes: 100 });
    expect(lines[0]).toMatch(/^x{2000} \[line cut\]$/);
  });

  it("knows what is not text", async () => {
    expect(await read(new Uint8Array([137, 80, 0, 1]), 1, 9)).toMatchObject({ isBinary: true });
  });
});
