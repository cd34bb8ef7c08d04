import { describe, expect, it } from "vitest";
import {
  answer as say,
  contextTooLong,
  cut,
  failure,
  reply,
  text,
  toolCall,
} from "../../support/scripted-openai/index.ts";
import { type Bench, python } from "./bench.ts";

const soon = { "retry-after-ms": "1" };

export function describeModelFaults(bench: () => Bench): void {
  describe("a model that fails", () => {
    it("for a while is asked again, and no word is said twice", async () => {
      const { models, newThread } = bench();
      models.script(
        failure(429, { headers: soon }),
        failure(500, { headers: soon }),
        reply(text("The sum "), text("is 4"), cut()),
        reply(text("2"), cut()),
        say(" euros."),
      );
      const user = await newThread();
      const stream = await user.send("how much?");
      const done = await stream.until("done");
      expect(done).toMatchObject({ status: "completed", response: "The sum is 42 euros.", openai_calls: 5 });
      expect(stream.text).toBe(done.response);
      expect(stream.of("error")).toEqual([]);
      expect(
        stream
          .of("status")
          .map((event) => event.text)
          .join(),
      ).toContain("(500)");
    });

    it("in the middle of a tool call runs none of it, and then all of it once", async () => {
      const { models, newThread } = bench();
      models.script(
        reply(
          toolCall("execute_python", { code: "hits = globals().get('hits', 0) + 1; hits" }).slice(0, 5),
          cut(),
        ),
        python("hits = globals().get('hits', 0) + 1; hits"),
        say("Once."),
      );
      const user = await newThread();
      const answer = await user.ask("run it");
      expect(answer).toMatchObject({ status: "completed", response: "Once." });
      expect(answer.code_runs.map(({ output }) => output.trim())).toEqual(["1"]);
    });

    it("for good ends the run with an error that says what to do; the next message works", async () => {
      const { models, newThread } = bench();
      models.script(failure(401, { message: "Incorrect API key provided: sk-wrong" }));
      const user = await newThread();
      const stream = await user.send("hello");
      const done = await stream.until("done");
      expect(done).toMatchObject({ status: "failed", response: "" });
      expect(stream.of("error")).toMatchObject([
        { code: "model_auth", hint: expect.stringContaining("OPENAI_API_KEY") },
      ]);
      expect(stream.events.at(-2)?.type).toBe("error");
      expect(JSON.stringify(stream.events)).not.toContain("sk-wrong");
      expect((await user.history()).at(-1)).toMatchObject({
        status: "failed",
        error: { code: "model_auth" },
      });
      models.script(say("Hello again."));
      expect(await user.ask("hello?")).toMatchObject({ status: "completed", response: "Hello again." });
    });

    it("because the thread is too long is asked again with a summary of the older turns", async () => {
      const { models, newThread } = bench();
      const user = await newThread();
      for (const word of ["alpha", "beta", "gamma"]) {
        models.script(say(`It was ${word}.`));
        await user.ask(`say ${word}`);
      }
      const before = models.requests.length;
      models.script(contextTooLong(), say("They named letters."), say("Delta."));
      expect(await user.ask("say delta")).toMatchObject({ status: "completed", response: "Delta." });
      const sent = JSON.stringify(models.requests[before + 2]?.body.messages);
      expect(sent).toContain("They named letters.");
      expect(sent).not.toContain("It was alpha.");
      // What the user sees is as it was.
      expect((await user.history()).map(({ content }) => content)).toContain("It was alpha.");
    });
  });
}
