import { finish, reply, startScriptedOpenAI, text } from "../../tests/support/scripted-openai/index.ts";
import type { Measure } from "../measure.ts";
import { ask, open } from "../server/requests.ts";
import { createThread, withServer } from "../server/running-server.ts";

const READERS = 500;
const TOKENS = 400;

/** Readers of one thread while an answer comes: events that one of them did not get, or got twice, or out of order. */
export const manyReaders: Measure = {
  name: "readers",
  figures: [
    {
      key: "sse_500_lost",
      label: `events lost or doubled, ${READERS} readers`,
      unit: "events",
      goal: { atMost: 0 },
    },
    { key: "sse_500_ms", label: `until the last of ${READERS} readers has the whole answer`, unit: "ms" },
  ],
  async run(session) {
    await using models = await startScriptedOpenAI();
    models.always(reply(...Array.from({ length: TOKENS }, (_, at) => text(`${at} `)), finish("stop")));
    const env = { OPENAI_BASE_URL: models.baseUrl, ATOLL_MODEL: "openai-compatible:scripted" };
    return await withServer(session, env, async (server) => {
      const url = `${server.url}/thread/${await createThread(server)}`;
      const reading = await Promise.all(Array.from({ length: READERS }, () => open(`${url}/events?after=0`)));
      const ends = reading.map((response) => readUntilDone(response));
      const startedAt = performance.now();
      await ask(`${url}/message`, { method: "POST", body: { message: "count" } });
      const seen = await Promise.all(ends);
      const takenMs = performance.now() - startedAt;
      const { events } = await ask<{ events: { id: number }[] }>(`${url}/events?follow=false&limit=5000`);
      const stored = events.map(({ id }) => id);
      const lost = seen.reduce((sum, ids) => sum + countFaults(ids, stored), 0);
      return { sse_500_lost: [lost], sse_500_ms: [takenMs] };
    });
  },
};

async function readUntilDone(response: AsyncIterable<Uint8Array>): Promise<number[]> {
  const decoder = new TextDecoder();
  const ids: number[] = [];
  let text = "";
  for await (const part of response) {
    text += decoder.decode(part, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const id = /^id: (\d+)$/m.exec(frame)?.[1];
      if (id !== undefined) ids.push(Number(id));
      if (/^event: done$/m.test(frame)) return ids;
    }
  }
  return ids;
}

/** Every stored event up to `done` has to be there once, in order. */
function countFaults(ids: readonly number[], stored: readonly number[]): number {
  const last = ids.at(-1) ?? 0;
  const expected = stored.filter((id) => id <= last);
  const got = new Set(ids);
  const missing = expected.filter((id) => !got.has(id)).length;
  const disordered = ids.filter((id, at) => at > 0 && id <= (ids[at - 1] ?? 0)).length;
  return missing + disordered;
}
