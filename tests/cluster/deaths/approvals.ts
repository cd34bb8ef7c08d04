import { describe, expect, it } from "vitest";
import { askForShell, sendUntilAsked, threeCalls } from "../../server/approvals/bench.ts";
import { replyTo } from "../../server/killed/bench.ts";
import type { Installation } from "../../support/installation.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { expectWholeLog, startTwo } from "./bench.ts";

export function describeApprovals(bench: () => Installation): void {
  describe("a run that waits for the user when its server dies", () => {
    it("is asked about, and goes on, at the server that takes the thread over", async () => {
      const installation = bench();
      installation.models.always(replyTo({ "three calls": threeCalls }));
      const [first, second] = await startTwo(installation);
      const user = await ThreadUser.create(first.url, askForShell);
      const { approvalId, runId } = await sendUntilAsked(user, "three calls");
      user.moveTo(second.url);
      const reader = await user.follow();
      await reader.until("approval");
      await first.kill();

      // Waits until somebody has the thread, then answers there.
      const { approvals } = await user.client.threads.approvals(user.threadId);
      expect(approvals).toMatchObject([{ approval_id: approvalId, run_id: runId, tool: "execute_shell" }]);
      await user.client.threads.decide(user.threadId, approvalId, "allow");
      const done = await reader.until("done");
      expect(done).toMatchObject({
        run_id: runId,
        status: "completed",
        response: "Looking.\n\nAll done.",
      });
      expect(done.code_runs.map(({ output }) => output)).toEqual(["", "x", ""]);
      expect(await user.client.threads.files(user.threadId).readText("notes.txt")).toBe("xy");
      expectWholeLog(await user.log());
      reader.close();
    });
  });
}
