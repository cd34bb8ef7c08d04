import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { createPipeTransport } from "./pipe-transport.ts";

/** A pipe whose far end is the test. */
function open() {
  const sent: string[] = [];
  const pipe = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      sent.push(String(chunk));
      done();
    },
  });
  const transport = createPipeTransport(pipe);
  const received: object[] = [];
  Object.assign(transport, { onmessage: (message: object) => void received.push(message) });
  return { pipe, transport, sent, received };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("createPipeTransport", () => {
  it("puts messages together, wherever they are cut", async () => {
    const { pipe, received } = open();
    const bytes = Buffer.from('{"a":"你"}\0{"b":2}\0');
    for (const byte of bytes) pipe.push(Buffer.from([byte]));
    while (received.length < 2) await turn();
    expect(received).toEqual([{ a: "你" }, { b: 2 }]);
  });

  it("lets what follows from a message happen before the next", async () => {
    const { pipe, transport } = open();
    const seen: string[] = [];
    const onmessage = ({ n }: { n: number }) => {
      seen.push(`got ${n}`);
      void Promise.resolve().then(() => seen.push(`done ${n}`));
    };
    Object.assign(transport, { onmessage });
    pipe.push('{"n":1}\0{"n":2}\0{"n":3}\0');
    while (seen.length < 6) await turn();
    expect(seen).toEqual(["got 1", "done 1", "got 2", "done 2", "got 3", "done 3"]);
  });

  it("sends each with its end", () => {
    const { transport, sent } = open();
    transport.send({ id: 1 });
    expect(sent).toEqual(['{"id":1}\0']);
  });

  it.each([
    ["what is no JSON", ["{]\0"]],
    ["a message without an end", Array.from({ length: 65 }, () => "x".repeat(1024 * 1024))],
  ])("ends with %s", async (_, chunks) => {
    const { pipe, transport } = open();
    const closed = new Promise<void>((resolve) => Object.assign(transport, { onclose: () => resolve() }));
    for (const chunk of chunks) pipe.push(chunk);
    await closed;
    expect(pipe.destroyed).toBe(true);
  });

  it("ends when its reader throws, and the program does not", async () => {
    const { pipe, transport } = open();
    const onmessage = () => {
      throw new Error("a message that nobody expected");
    };
    Object.assign(transport, { onmessage });
    pipe.push("{}\0");
    await new Promise((resolve) => pipe.once("close", resolve));
    expect(pipe.destroyed).toBe(true);
  });
});
