import { startIpykernel } from "../ipykernel.ts";
import type { Measure } from "../measure.ts";
import { interleave, timeMs } from "../rounds.ts";
import { ask } from "../server/requests.ts";
import { withServer } from "../server/running-server.ts";

/** `1+1` on a hot kernel, through the HTTP API on a connection that is kept open. */
export const http: Measure = {
  name: "http",
  figures: [
    {
      key: "http_exec_ms",
      label: "1+1 on a live kernel, through HTTP",
      unit: "ms",
      beside: ["http_ipykernel_ms"],
      goal: { atMost: 3 },
    },
    { key: "http_healthz_ms", label: "a round trip to the server (GET /healthz)", unit: "ms" },
    { key: "http_ipykernel_ms", label: "1+1 on an ipykernel", unit: "ms" },
  ],
  async run(session) {
    await using ipykernel = await startIpykernel(session);
    return await withServer(session, {}, async (server) => {
      const { sandbox_id } = await ask<{ sandbox_id: string }>(`${server.url}/sandboxes`, {
        method: "POST",
        body: {},
      });
      const exec = () =>
        timeMs(async () => {
          const answer = await ask<{ results: { text?: string }[] }>(
            `${server.url}/sandboxes/${sandbox_id}/python`,
            { method: "POST", body: { code: "1+1" } },
          );
          if (answer.results[0]?.text !== "2") throw new Error(`1+1 is ${JSON.stringify(answer)}`);
        });
      const own = { http_exec_ms: exec, http_healthz_ms: () => timeMs(() => ask(`${server.url}/healthz`)) };
      const options = { rounds: session.rounds(500, 50), signal: session.signal, name: "http", inARow: 10 };
      return "missing" in ipykernel
        ? { ...(await interleave(own, options)), http_ipykernel_ms: ipykernel }
        : await interleave({ ...own, http_ipykernel_ms: () => ipykernel.execute("1+1") }, options);
    });
  },
};
