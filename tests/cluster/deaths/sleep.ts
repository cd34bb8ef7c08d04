import { describe, expect, it, vi } from "vitest";
import { python } from "../../server/conversation/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import { createGate, finish, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { countLeases, expectWholeLog, startTwo } from "./bench.ts";

export function describeSleep(bench: () => Installation): void {
  describe("a server that sleeps past its lease", () => {
    it("writes nothing when it wakes, and lets go of what another has taken", async () => {
      const installation = bench();
      const gate = createGate();
      installation.models.always(
        replyTo({
          remember: python("x = 41"),
          linger: reply(text("Before. "), waitFor(gate), text("After. "), finish("stop")),
          recall: python("print(x + 1)"),
        }),
      );
      const [first, second] = await startTwo(installation, { leaseS: 3 });
      const user = await ThreadUser.create(first.url);
      await user.ask("remember");
      const running = await user.send("linger");
      await running.untilText("Before.");
      first.child.kill("SIGSTOP");

      // What cannot do harm waits until the first is given up, and is then answered by the second.
      user.moveTo(second.url);
      expect((await user.history()).map(({ role }) => role)).toContain("user");
      await user.ask("recall");
      const log = await user.log();
      expectWholeLog(log);
      const done = log.filter((event) => event.type === "done");
      expect(done.map(({ status }) => status)).toEqual(["completed", "interrupted", "completed"]);
      // The same machine: the sandbox was joined as it was.
      expect(log.filter((event) => event.type === "output").map((event) => event.text)).toEqual(["42\n"]);

      first.child.kill("SIGCONT");
      gate.open();
      await vi.waitFor(async () => expect(await countLeases(first)).toBe(0), {
        timeout: 90_000,
        interval: 50,
      });
      await running.ended;
      expect(running.text).not.toContain("After.");
      expect(await user.log()).toEqual(log);
      expect(await countLeases(second)).toBe(1);
      const moved = new ThreadUser(first.url, user.threadId);
      expect((await moved.ask("recall")).response).toBe("All done.");
      expectWholeLog(await moved.log());
    });
  });
}
