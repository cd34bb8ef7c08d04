import { finish, reply, startScriptedOpenAI, text } from "../../tests/support/scripted-openai/index.ts";
import type { Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { interleave } from "../rounds.ts";
import { timeToFirst } from "../server/requests.ts";
import { createThread, withServer } from "../server/running-server.ts";

/**
 * What the server adds before the first token: the same model stream, asked for directly and through a thread whose
 * sandbox is hot. The message is on disk before the model is asked. Every round has a thread of its own, made before the
 * first round, so that nothing else goes on meanwhile.
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
  ],
  async run(session) {
    await using models = await startScriptedOpenAI();
    models.always(reply(text("Hello"), text(" there"), finish("stop")));
    const env = { OPENAI_BASE_URL: models.baseUrl, ATOLL_MODEL: "openai-compatible:scripted" };
    const rounds = session.rounds(100, 10);
    const found = await withServer(session, env, async (server) => {
      const threads: string[] = [];
      for (let at = 0; at <= rounds; at++) {
        progress.update(`ttft: thread ${at} of ${rounds}`);
        threads.push(await createThread(server));
      }
      const question = "What are the top 5 categories by spend?";
      const direct = { model: "scripted", stream: true, messages: [{ role: "user", content: question }] };
      return interleave(
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
        { rounds, signal: session.signal, name: "ttft" },
      );
    });
    const added = found.ttft_server_ms.map((through, at) => through - (found.ttft_model_ms[at] ?? 0));
    return { ttft_added_ms: added, ...found };
  },
};
