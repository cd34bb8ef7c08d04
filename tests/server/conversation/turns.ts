import { describe, expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  reply,
  text,
  toolCall,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { Bench } from "./bench.ts";

export function describeTurns(bench: () => Bench): void {
  describe("a message while another is answered", () => {
    it("waits its turn, unless it is taken back", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      const gate = createGate();
      models.script(reply(text("One"), waitFor(gate), finish("stop")), say("Two"), say("Four"));
      const user = await newThread();
      const first = await user.send("first");
      await first.untilText("One");
      const others = [await user.send("second"), await user.send("third"), await user.send("fourth")];
      const ids = await Promise.all(others.map(async (each) => (await each.until("message")).message_id));
      expect((await user.client.threads.status(user.threadId)).queued).toEqual(ids);
      await user.client.threads.withdraw(user.threadId, ids[1] ?? "");
      expect(models.requests).toHaveLength(before + 1);
      gate.open();
      const done = await Promise.all(
        [first, others[0], others[2]].map((stream) =>
          stream?.until("done", (event) => event.message_id === stream.of("message")[0]?.message_id),
        ),
      );
      expect(done.map((event) => event?.response)).toEqual(["One", "Two", "Four"]);
      const runs = (await user.log()).filter(({ type }) => type === "run_started" || type === "done");
      const [start, end] = ["run_started", "done"];
      expect(runs.map(({ type }) => type)).toEqual([start, end, start, end, start, end]);
      expect((await user.history()).map(({ content }) => content)).toEqual([
        "first",
        "One",
        "second",
        "Two",
        "fourth",
        "Four",
      ]);
    });

    it("reaches the run under way when it is to steer it", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      const gate = createGate();
      const call = toolCall("execute_python", { code: "1 + 1" });
      models.script(reply(waitFor(gate), call, finish("tool_calls")), say("In French: deux."));
      const user = await newThread();
      const first = await user.send("add one and one");
      await gate.reached;
      const steering = await user.send("in French, please", "steer");
      const { message_id } = await steering.until("message");
      gate.open();
      const done = await steering.until("done");
      await Promise.all([steering.ended, first.ended]);
      expect(done).toMatchObject({ status: "completed", response: "In French: deux." });
      expect(first.of("done")).toEqual([done]);
      expect(first.of("steered")).toMatchObject([{ message_id }]);
      expect(models.requests[before + 1]?.body.messages.at(-1)).toMatchObject({
        role: "user",
        content: expect.stringContaining("in French, please"),
      });
      expect(models.requests).toHaveLength(before + 2);
    });

    it("reaches it also when the model was about to end", async () => {
      const { models, newThread } = bench();
      const gate = createGate();
      models.script(reply(text("Late"), waitFor(gate), finish("stop")), say("but there."));
      const user = await newThread();
      const first = await user.send("first");
      await first.untilText("Late");
      const late = await user.send("one more thing", "steer");
      await late.until("message");
      gate.open();
      expect(await late.until("done")).toMatchObject({ status: "completed", response: "Late\n\nbut there." });
      expect((await user.history()).map(({ role }) => role)).toEqual(["user", "user", "assistant"]);
    });
  });
}
