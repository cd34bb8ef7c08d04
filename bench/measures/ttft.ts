import {
  createGate,
  finish,
  type Gate,
  reply,
  startScriptedOpenAI,
  text,
  waitFor,
} from "../../tests/support/scripted-openai/index.ts";
import type { Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { interleave } from "../rounds.ts";
import { timeToFirst } from "../server/requests.ts";
import { createThread, withServer } from "../server/running-server.ts";

/**
 * What the server adds before the first token: the same model stream, asked for directly and through a thread whose
 * sandbox is hot. The message is on disk before the model is asked. Every round has a thread of its own, made before the
 * first round, so that nothing else runs meanwhile.
 *
 * The model thinks for a while, as all of them do, and the server does its other work meanwhile. The last figure is
 * with a model that answers at once: then all of that work stands before the token.
 */
export const ttft: Measure = {
  name: "ttft",
  figures: [
    {
      key: "ttft_added_ms",
      label: "time to first token, added by the server",
      unit: "ms",
      goal: { atMost: 3 },
    },
    { key: "ttft_server_ms", label: "first token through the server", unit: "ms" },
    { key: "ttft_model_ms", label: "first token from the model itself", unit: "ms" },
    { key: "ttft_added_instant_ms", label: "added, where the model answers at once", unit: "ms" },
  ],
  async run(session) {
    await using models = await startScriptedOpenAI();
    let thinkMs = 0;
    models.always(() =>
      reply(
        waitFor(openAfter(thinkMs)),
        text("Hello"),
        waitFor(openAfter(thinkMs + TOKEN_MS)),
        text(" there"),
        finish("stop"),
      ),
    );
    const env = { OPENAI_BASE_URL: models.baseUrl, ATOLL_MODEL: "openai-compatible:scripted" };
    const rounds = session.rounds(100, 10);
    return await withServer(session, env, async (server) => {
      const threads: string[] = [];
      for (let at = 0; at < 2 * (rounds + 1); at++) {
        progress.update(`ttft: thread ${at + 1} of ${2 * (rounds + 1)}`);
        threads.push(await createThread(server));
      }
      const question = "What are the top 5 categories by spend?";
      const direct = { model: "scripted", stream: true, messages: [{ role: "user", content: question }] };
      const compare = async (name: string) => {
        const found = await interleave(
          {
            ttft_model_ms: () =>
              timeToFirst(/"content":"Hello"/, `${models.baseUrl}/chat/completions`, {
                method: "POST",
                body: direct,
              }),
            async ttft_server_ms() {
              return timeToFirst(/event: token/, `${server.url}/thread/${threads.pop()}/message/stream`, {
                method: "POST",
                body: { message: question },
              });
            },
          },
          { rounds, signal: session.signal, name },
        );
        const added = found.ttft_server_ms.map((through, at) => through - (found.ttft_model_ms[at] ?? 0));
        return { ...found, added };
      };
      const instant = await compare("ttft, at once");
      thinkMs = USUAL_THINK_MS;
      const { added, ...found } = await compare("ttft");
      return { ttft_added_ms: added, ...found, ttft_added_instant_ms: instant.added };
    });
  },
};

/** Less than any model takes to its first token, and about what the quickest take from one token to the next. */
const USUAL_THINK_MS = 50;
const TOKEN_MS = 10;

function openAfter(delayMs: number): Gate {
  const gate = createGate();
  if (delayMs === 0) gate.open();
  else setTimeout(() => gate.open(), delayMs);
  return gate;
}
