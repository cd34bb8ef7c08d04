import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { boundLines } from "./bounded-lines.ts";

async function pass(...chunks: string[]) {
  const ids: unknown[] = [];
  const lines = boundLines(2000, (id) => ids.push(id));
  return { passed: await text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(lines)), ids };
}

const long = "x".repeat(5000);

describe("boundLines", () => {
  it("passes lines on, however they are cut into pieces", async () => {
    expect(await pass('{"a":', "1}\n{}", "\n{}\nrest")).toEqual({ passed: '{"a":1}\n{}\n{}\n', ids: [] });
  });

  it.each([
    [{ jsonrpc: "2.0", id: 7, params: long }, 7],
    [{ id: "a-1", params: long, jsonrpc: "2.0" }, "a-1"],
    [{ params: long, jsonrpc: "2.0", id: 8 }, 8],
    [{ method: "m", params: { id: 5, long }, jsonrpc: "2.0" }, null],
  ])("drops a line that is too long, and tells the id of its request", async (message, id) => {
    const line = `${JSON.stringify(message)}\n`;
    for (const chunks of [[line], line.match(/[^]{1,700}/g) ?? []])
      expect(await pass("{}\n", ...chunks, "[]\n")).toEqual({ passed: "{}\n[]\n", ids: [id] });
  });
});
