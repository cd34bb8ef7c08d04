import { describe, expect, it } from "vitest";
import type { StoredEvent } from "@atoll/client";
import {
  answer as say,
  createGate,
  finish,
  reply,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { Bench } from "./bench.ts";

export function describeReading(bench: () => Bench): void {
  describe("who reads a thread", () => {
    it("may leave in mid-answer: the answer comes to its end", async () => {
      const { models, newThread } = bench();
      const gate = createGate();
      models.script(reply(text("Still "), waitFor(gate), text("here."), finish("stop")));
      const user = await newThread();
      const stream = await user.send("are you there?");
      await stream.untilText("Still");
      stream.close();
      await stream.ended;
      gate.open();
      const again = await user.follow({ after: stream.lastId });
      expect(await again.until("done")).toMatchObject({ status: "completed", response: "Still here." });
      again.close();
      expect([...stream.events, ...again.events]).toEqual(withoutProfile(await user.log()));
    });

    it("may leave while waiting for the whole answer: it is in the history", async () => {
      const { models, newThread } = bench();
      const gate = createGate();
      models.script(reply(text("Still "), waitFor(gate), text("here."), finish("stop")));
      const user = await newThread();
      const leave = new AbortController();
      const asking = user.client.threads.send(user.threadId, "hello", { signal: leave.signal });
      asking.catch(() => {});
      await gate.reached;
      leave.abort();
      await expect(asking).rejects.toThrow();
      gate.open();
      await user.untilIdle();
      expect((await user.history()).at(-1)).toMatchObject({ status: "completed", content: "Still here." });
    });

    it("comes back in mid-answer and gets exactly what is missing", async () => {
      const { models, newThread } = bench();
      const gates = [createGate(), createGate(), createGate()];
      const words = (from: number) => Array.from({ length: 40 }, (_, at) => text(`${from + at} `));
      models.script(
        reply(
          ...gates.flatMap((gate, part) => [...words(part * 40), waitFor(gate)]),
          ...words(120),
          finish("stop"),
        ),
      );
      const user = await newThread();
      const first = await user.send("count");
      const readers = [];
      for (const [part, gate] of gates.entries()) {
        await gate.reached;
        await first.untilText(`${part * 40 + 39} `);
        const middle = first.events[Math.floor(first.events.length / 2)]?.id ?? 0;
        const [after, lastEventId] = [first.lastId, middle];
        readers.push(
          { from: 0, stream: await user.follow() },
          { from: after, stream: await user.follow({ after }) },
          { from: lastEventId, stream: await user.follow({ lastEventId }) },
          // As a browser does it: the address of the page stays, and the header is newer.
          { from: after, stream: await user.follow({ after: 1, lastEventId: after }) },
        );
        gate.open();
      }
      const done = await first.until("done");
      expect(done.response).toBe(Array.from({ length: 160 }, (_, at) => `${at} `).join(""));
      const log = await user.log();
      const ids = log.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
      for (const { from, stream } of readers) {
        await stream.until("done");
        stream.close();
        expect(stream.events).toEqual(log.filter(({ id }) => id > from && id <= done.id));
      }
      expect(first.events).toEqual(withoutProfile(log).filter(({ id }) => id <= done.id));
    });

    it("with an id from beyond the end gets what comes next", async () => {
      const { models, newThread } = bench();
      const user = await newThread();
      const stream = await user.follow({ after: 1_000_000 });
      models.script(say("Here."));
      await user.ask("hello");
      expect(await stream.until("done")).toMatchObject({ response: "Here." });
      stream.close();
    });
  });
}

/** A message's own stream begins with the message; the files were read before. */
function withoutProfile(log: readonly StoredEvent[]): StoredEvent[] {
  return log.slice(log.findIndex(({ type }) => type === "message"));
}
