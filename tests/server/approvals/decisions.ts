import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { python } from "../conversation/bench.ts";
import { type Bench, sendUntilAsked } from "./bench.ts";

export function describeDecisions(bench: () => Bench, url: () => string): void {
  describe("a decision", () => {
    it("counts once: of two at the same time one wins, and the other is told", async () => {
      bench().models.script(python("1 + 1"), say("Done."));
      const user = await ThreadUser.create(url(), { approvals: "on" });
      const { stream, approvalId } = await sendUntilAsked(user, "go");
      const decided = await Promise.allSettled(
        (["allow", "deny"] as const).map((decision) =>
          user.client.threads.decide(user.threadId, approvalId, decision),
        ),
      );
      expect(decided.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const refused = decided.find((result) => result.status === "rejected");
      expect(refused?.reason).toMatchObject({
        status: 404,
        code: "not_found",
        message: expect.stringMatching(/no approval|decided already/),
        hint: expect.stringContaining("approvals"),
      });
      await stream.until("done");
      expect(stream.of("approval_decided")).toHaveLength(1);
    });

    it("that is to be remembered is asked for once, and shown as a rule of the thread", async () => {
      const { models } = bench();
      models.script(python("again = 1"), python("again = 1"), python("other = 2"), say("Done."));
      const user = await ThreadUser.create(url(), { approvals: "on" });
      const { stream, approvalId } = await sendUntilAsked(user, "go");
      await user.client.threads.decide(user.threadId, approvalId, "allow", { remember: "call" });
      const next = await stream.until("approval", ({ approval_id }) => approval_id !== approvalId);
      expect(next.input).toEqual({ code: "other = 2" });
      await user.client.threads.decide(user.threadId, next.approval_id, "deny", { remember: "tool" });
      await stream.until("done");
      expect(stream.of("approval_decided")).toMatchObject([
        { decision: "allow", by: "user", remember: "call" },
        { decision: "deny", by: "user", remember: "tool" },
      ]);
      const { approval_rules: rules } = await user.client.threads.get(user.threadId);
      expect(rules).toEqual([
        {
          agent: "main",
          tool: "execute_python",
          input: { code: "again = 1" },
          exact: true,
          permission: "allow",
        },
        { agent: "main", tool: "execute_python", permission: "deny" },
      ]);
      models.script(python("again = 1"), say("Done."));
      const refused = await user.send("and again");
      await refused.until("done");
      expect(refused.of("approval")).toEqual([]);
      expect(refused.of("tool_result")[0]).toMatchObject({
        is_error: true,
        output: "A rule does not allow this call.",
      });
      expect(refused.of("code_run")).toEqual([]);
    });
  });

  describe("a run that waits", () => {
    it("lets its sandbox rest, and goes on with the variables of before", async () => {
      const { models } = bench();
      models.script(python("kept = 41"), python("print(kept + 1)"), say("Done."));
      const user = await ThreadUser.create(url(), {
        approval_rules: [{ tool: "execute_python", input: { code: "print(*" }, permission: "ask" }],
      });
      const { stream, approvalId } = await sendUntilAsked(user, "go");
      const { sandbox_status: state } = await user.client.threads.suspend(user.threadId);
      expect(state).toBe("cold");
      await user.client.threads.decide(user.threadId, approvalId, "allow");
      const done = await stream.until("done");
      expect(done.code_runs.map(({ output }) => output)).toEqual(["", "42"]);
      const told = models.requests.at(-1)?.body.messages.at(-1)?.content;
      expect(told).toMatch(/restored[^]*kept[^]*42/);
    });
  });

  describe("the operator's rules", () => {
    it("hold in every thread, before the thread's own", async () => {
      const { models } = bench();
      const denied = await ThreadUser.create(url());
      const allowed = await ThreadUser.create(url(), {
        approval_rules: [{ tool: "execute_python", input: { code: "print(*" }, permission: "allow" }],
      });
      const { client } = denied;
      const rules = [{ tool: "python_exec", permission: "deny" }] as const;
      await client.updateSettings({ approval_rules: [...rules] });
      expect((await client.settings()).approval_rules).toEqual(rules);
      models.script(python("print(1)"), say("Done."), python("print(1)"), say("Done."));
      expect((await denied.ask("go")).code_runs).toEqual([]);
      expect((await allowed.ask("go")).code_runs).toMatchObject([{ output: "1" }]);
      expect((await client.updateSettings({ approval_rules: null })).approval_rules).toEqual([]);
    });
  });
}
