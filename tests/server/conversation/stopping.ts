import { describe, expect, it } from "vitest";
import { answer as say, createGate, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import { type Bench, python } from "./bench.ts";

export function describeStopping(bench: () => Bench): void {
  describe("a stop", () => {
    it("in mid-token ends the run and the model's stream, and keeps what was said", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      models.script(reply(text("So far "), text("so good"), waitFor(createGate())), say("Of course."));
      const user = await newThread();
      const stream = await user.send("tell me");
      await stream.untilText("so good");
      expect(await user.stop()).toMatchObject({ was_running: true });
      const done = await stream.until("done");
      await stream.ended;
      expect(done).toMatchObject({ status: "stopped", response: "So far so good" });
      expect(stream.events.at(-1)).toEqual(done);
      expect(await models.requests[before]?.closed).toEqual({ isComplete: false });
      expect(await user.history()).toMatchObject([
        { role: "user" },
        { role: "assistant", content: "So far so good", status: "stopped" },
      ]);
      expect(await user.stop()).toMatchObject({ was_running: false });

      expect(await user.ask("go on")).toMatchObject({ status: "completed", response: "Of course." });
      const sent = models.requests[before + 1]?.body.messages.map(({ content }) => content).join("\n");
      expect(sent).toContain("So far so good");
    });

    it.each([
      ["runs in circles", "while True: pass"],
      ["sleeps", "import time; time.sleep(600)"],
      [
        "will not be interrupted",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
      ],
    ])("ends code that %s, keeps its output, and the next message works", async (_, endless) => {
      const { models, newThread } = bench();
      models.script(python(`print('begun', flush=True)\n${endless}`));
      const user = await newThread();
      const stream = await user.send("run it");
      await stream.until("output");
      expect(await user.stop()).toMatchObject({ was_running: true });
      expect(await stream.until("done")).toMatchObject({ status: "stopped" });
      expect(stream.of("output")[0]?.text).toContain("begun");
      models.script(python("len(df)"), say("There."));
      const next = await user.ask("how many rows?");
      expect(next).toMatchObject({ status: "completed", response: "There." });
      expect(next.code_runs[0]?.output).toContain("6218");
      const kinds = (await user.log()).map((event) => event.type);
      expect(kinds.filter((type) => type === "run_started")).toHaveLength(2);
      expect(kinds.filter((type) => type === "done")).toHaveLength(2);
    });
  });
}
