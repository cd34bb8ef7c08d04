import { describe, expect, it } from "vitest";
import { python } from "../../server/conversation/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import { reply, stall, text } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { expectWholeLog, startTwo } from "./bench.ts";

export function describeStop(bench: () => Installation): void {
  describe("a server that is stopped", () => {
    it("leaves its threads to the others at once, with files, variables and the messages that wait", async () => {
      const installation = bench();
      installation.models.always(
        replyTo({
          remember: python("x = 41; open('kept', 'w').write('yes')"),
          linger: reply(text("Well, "), stall()),
          recall: python("print(x + 1, open('kept').read())"),
        }),
      );
      const [first, second] = await startTwo(installation, { leaseS: 6 });
      const user = await ThreadUser.create(first.url);
      await user.ask("remember");
      const stream = await user.send("linger");
      await stream.untilText("Well,");
      const queued = await user.client.threads.queue(user.threadId, "recall");
      await first.stop();
      user.moveTo(second.url);
      await user.untilIdle();
      const log = await user.log();
      expectWholeLog(log);
      const done = log.filter((event) => event.type === "done");
      expect(done.map(({ status }) => status)).toEqual(["completed", "interrupted", "completed"]);
      expect(done.at(-1)?.message_id).toBe(queued.message_id);
      const outputs = log.filter((event) => event.type === "output").map((event) => event.text);
      expect(outputs.join("")).toContain("42 yes");
    });
  });
}
