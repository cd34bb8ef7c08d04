import { describe, expect, it, vi } from "vitest";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import { createGate, finish, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { countLeases, expectWholeLog, startTwo } from "./bench.ts";

export function describeOutages(bench: () => Installation): void {
  describe("without Redis", () => {
    it("owners go on, others fail clearly; when it is back empty, everybody has what they had", async () => {
      const installation = bench();
      const { redis, models } = installation;
      const gate = createGate();
      models.always(
        replyTo({ linger: reply(text("Before. "), waitFor(gate), text("After."), finish("stop")) }),
      );
      const [first, second] = await startTwo(installation, { leaseS: 15 });
      const user = await ThreadUser.create(first.url);
      const unknown = await ThreadUser.create(first.url);
      const forwarded = new ThreadUser(second.url, user.threadId);
      const reader = await forwarded.follow();
      const running = await forwarded.send("linger");
      await running.untilText("Before.");

      await redis.kill();
      for (const { url } of [first, second])
        await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(503), 90_000);
      expect(await (await fetch(`${first.url}/readyz`)).json()).toMatchObject({
        obstacles: [{ name: "redis" }],
      });
      // Long enough for every lease to have ended, if anybody could see that.
      gate.open();
      expect((await running.until("done")).status).toBe("completed");
      expect((await user.ask("and now?")).response).toBe("All done.");
      for (const request of [
        fetch(`${second.url}/thread/new`, { method: "POST" }),
        fetch(`${second.url}/thread/${unknown.threadId}/history`),
      ]) {
        const refused = await request;
        expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
        expect(await refused.json()).toMatchObject({
          code: "unavailable",
          message: expect.stringMatching(/Redis/),
        });
      }

      await redis.restartEmpty();
      for (const { url } of [first, second])
        await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 90_000);
      expect((await forwarded.ask("once more")).response).toBe("All done.");
      await reader.until("done", () => reader.of("done").length === 3);
      expect(reader.labels.map(({ id }) => id)).toEqual((await user.log()).map(({ id }) => id));
      expectWholeLog(await user.log());
      expect([await countLeases(first), await countLeases(second)]).toEqual([2, 0]);
      const servers = (await (await fetch(`${second.url}/operator/servers`)).json()) as {
        servers: { threads: number }[];
      };
      expect(servers.servers.map(({ threads }) => threads).toSorted()).toEqual([0, 2]);
      reader.close();
    });
  });
}
