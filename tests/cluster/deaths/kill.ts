import { describe, expect, it } from "vitest";
import { python } from "../../server/conversation/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import { reply, stall, text } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { expectWholeLog, startTwo } from "./bench.ts";

export function describeKill(bench: () => Installation): void {
  describe("a server that is killed", () => {
    it("is not missed by whoever reads and sends at another one, nor by a program's sandbox", async () => {
      const installation = bench();
      installation.models.always(
        replyTo({
          remember: python("x = 41"),
          linger: reply(text("Well, "), stall()),
          recall: python("print(x + 1)"),
        }),
      );
      const [first, second] = await startTwo(installation);
      const user = await ThreadUser.create(first.url);
      const { sandbox_id } = await user.client.sandboxes.create();
      await user.client.sandboxes.runPython(sandbox_id, "y = 'kept'");
      await user.ask("remember");

      user.moveTo(second.url);
      const reader = await user.follow();
      const running = await user.send("linger");
      await running.untilText("Well,");
      const queued = await user.client.threads.queue(user.threadId, "recall");
      await first.kill();

      // The stream of the answer ends as every answer does.
      expect((await running.until("done")).status).toBe("interrupted");
      await running.ended;
      await reader.until("done", ({ message_id }) => message_id === queued.message_id);
      const log = await user.log();
      expectWholeLog(log);
      expect(reader.labels.map(({ id }) => id)).toEqual(
        log.slice(0, reader.events.length).map(({ id }) => id),
      );
      const outputs = log.filter((event) => event.type === "output").map((event) => event.text);
      expect(outputs.join("")).toContain("42");
      const run = await user.client.sandboxes.runPython(sandbox_id, "y");
      expect(run.results.map((result) => result.text)).toEqual(["'kept'"]);
      await user.client.sandboxes.remove(sandbox_id);
      reader.close();
    });
  });
}
