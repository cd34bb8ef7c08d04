import { finish, reply, startScriptedOpenAI, text } from "../../tests/support/scripted-openai/index.ts";
import type { Measure } from "../measure.ts";
import { interleave } from "../rounds.ts";
import { ask, timeToFirst } from "../server/requests.ts";
import { createThread, withServer } from "../server/running-server.ts";

/**
 * What the server adds before the first token: the same model stream, asked for directly and through a thread whose
 * sandbox is hot. The message is on disk before the model is asked. Every round has a thread of its own.
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
    const found = await withServer(session, env, (server) => {
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
            const thread = await createThread(server);
            const url = `${server.url}/thread/${thread}`;
            const sample = await timeToFirst(/event: token/, `${url}/message/stream`, {
              method: "POST",
              body: { message: question },
            });
            await ask(url, { method: "DELETE" });
            return sample;
          },
        },
        { rounds: session.rounds(100, 10), signal: session.signal, name: "ttft" },
      );
    });
    const added = found.ttft_server_ms.map((through, at) => through - (found.ttft_model_ms[at] ?? 0));
    return { ttft_added_ms: added, ...found };
  },
};
