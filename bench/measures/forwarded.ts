import { Installation, whyNoInstallation } from "../../tests/support/installation.ts";
import type { Measure } from "../measure.ts";
import { interleave, timeMs } from "../rounds.ts";
import { ask, closeConnections } from "../server/requests.ts";

/** `1+1` on a hot kernel, asked at a server that has the sandbox, and at one that passes the request on. */
export const forwarded: Measure = {
  name: "forwarded",
  figures: [
    {
      key: "forwarded_exec_ms",
      label: "1+1 on a live kernel, through another server",
      unit: "ms",
      beside: ["owned_exec_ms"],
    },
    { key: "owned_exec_ms", label: "1+1 on a live kernel, through its own server", unit: "ms" },
  ],
  async run(session) {
    const missing = whyNoInstallation();
    if (missing !== undefined) return Object.fromEntries(this.figures.map(({ key }) => [key, { missing }]));
    await using installation = await Installation.create("bench");
    const [owner, other] = await Promise.all([
      installation.start({ ATOLL_LEASE_S: "15" }),
      installation.start({ ATOLL_LEASE_S: "15" }),
    ]);
    try {
      const { sandbox_id } = await ask<{ sandbox_id: string }>(`${owner.url}/sandboxes`, {
        method: "POST",
        body: {},
      });
      const execAt = (url: string) => () =>
        timeMs(async () => {
          const target = `${url}/sandboxes/${sandbox_id}/python`;
          const answer = await ask<{ results: { text?: string }[] }>(target, {
            method: "POST",
            body: { code: "1+1" },
          });
          if (answer.results[0]?.text !== "2") throw new Error(`1+1 is ${JSON.stringify(answer)}`);
        });
      return await interleave(
        { forwarded_exec_ms: execAt(other.url), owned_exec_ms: execAt(owner.url) },
        { rounds: session.rounds(500, 50), signal: session.signal, name: "forwarded", inARow: 10 },
      );
    } finally {
      closeConnections();
    }
  },
};
