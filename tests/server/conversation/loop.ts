import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  answer as say,
  finish,
  inChunks,
  reply,
  text,
  toolCall,
  toolCalls,
} from "../../support/scripted-openai/index.ts";
import { type Bench, modelName, python } from "./bench.ts";

const code = `
import matplotlib.pyplot as plt
print('für €', len(df))
open('/workspace/result.txt', 'w').write('made by a run')
df.groupby('category')['amount'].sum().plot()
plt.show()
df.groupby('category', as_index=False)['amount'].sum().head(2)
`;

export function describeLoop(bench: () => Bench): void {
  describe("an answer of a model that runs code", () => {
    it("streams words, code, output, table, image and file, and the history tells the same", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      models.script(
        inChunks(
          7,
          reply(
            text("Let me löök."),
            toolCall("execute_python", { code }, { partChars: 1 }),
            finish("tool_calls"),
          ),
        ),
        say("Rent is high."),
      );
      const user = await newThread();
      const stream = await user.send("What do we spend?");
      const done = await stream.until("done");
      await stream.ended;
      expect(stream.events.at(-1)).toEqual(done);
      expect(done).toMatchObject({
        status: "completed",
        model: modelName,
        response: "Let me löök.\n\nRent is high.",
        openai_calls: 2,
        code_runs: [{ code, status: "ok", language: "python" }],
      });
      expect(stream.text).toBe(done.response);
      expect(
        stream
          .of("output")
          .map((event) => event.text)
          .join(""),
      ).toContain("für € 6218");
      const table = stream.of("result").find((event) => event.table)?.table;
      expect(table).toMatchObject({ columns: [{ name: "category" }, { name: "amount" }], total_rows: 2 });
      const image = stream.of("result").find((event) => event.image)?.image;
      const png = await fetch(new URL(image?.url ?? "", user.url));
      expect([png.status, png.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect([...(await png.bytes()).subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
      const [file] = stream.of("artifact");
      expect(file).toMatchObject({
        path: "/workspace/result.txt",
        change: "new",
        hash: sha256("made by a run"),
      });
      expect(await (await fetch(new URL(file?.url ?? "", user.url))).text()).toBe("made by a run");
      // The frames' own names and numbers are those of the data.
      expect(stream.labels).toEqual(stream.events.map(({ id, type }) => ({ id, type })));

      const sent = models.requests[before + 1]?.body.messages ?? [];
      expect(sent.findLast(({ role }) => role === "tool")?.content).toContain("für € 6218");
      expect(JSON.stringify(sent.at(-1)?.content)).toContain("data:image/png;base64,");
      expect(await user.history()).toMatchObject([
        { role: "user", content: "What do we spend?" },
        {
          role: "assistant",
          content: done.response,
          status: "completed",
          code_runs: [{ code, status: "ok" }],
        },
      ]);
      const { artifacts } = await user.client.threads.artifacts(user.threadId);
      expect(artifacts.map(({ path }) => path)).toContain("/workspace/result.txt");
    });

    it("comes as one JSON body to who waits for it, with the same results", async () => {
      const { models, newThread } = bench();
      models.script(python("kept = 6 * 7\ndf.head(3)"), say("Three rows."));
      const user = await newThread();
      const answer = await user.ask("Show me rows");
      expect(answer).toMatchObject({ status: "completed", response: "Three rows.", openai_calls: 2 });
      expect(answer.results).toMatchObject([{ kind: "table", table: { total_rows: 3 } }]);
      models.script(python("kept"), say("Forty-two."));
      expect((await user.ask("And what did you keep?")).code_runs[0]?.output).toContain("42");
    });

    it("runs the calls of one step in their order, and tells the model of a tool that there is not", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      const calls = toolCalls(
        { name: "execute_shell", args: { command: "echo first > order.txt" } },
        { name: "execute_pyton", args: { code: "1" } },
        { name: "execute_python", args: { code: "open('order.txt').read() + 'second'" } },
      );
      models.script(reply(calls, finish("tool_calls")), say("Done."));
      const user = await newThread();
      expect(await user.ask("go")).toMatchObject({ status: "completed", response: "Done." });
      const told = models.requests[before + 1]?.body.messages.slice(-3).map(({ content }) => content);
      expect(told?.[1]).toMatch(/execute_pyton/);
      expect(told?.[2]).toContain("first\\nsecond");
    });
  });

  describe("approvals", () => {
    it("are asked for when they are on: allowed code runs, refused code does not", async () => {
      const { models, newThread } = bench();
      const before = models.requests.length;
      models.script(python("ran = 'allowed'"), python("ran = 'refused'"), python("ran"), say("Done."));
      const user = await newThread();
      await user.client.threads.update(user.threadId, { approvals: "on" });
      const stream = await user.send("go");
      const decisions = [
        { decision: "allow" },
        { decision: "deny", reason: "not today" },
        { decision: "allow" },
      ] as const;
      for (const [index, { decision, ...rest }] of decisions.entries()) {
        const asked = await stream.until("approval", (event) => stream.of("approval")[index] === event);
        expect(asked).toMatchObject({
          tool: "execute_python",
          input: { code: expect.stringContaining("ran") },
        });
        const { run } = await user.client.threads.status(user.threadId);
        expect(run?.approvals).toEqual([asked.approval_id]);
        await user.client.threads.decide(user.threadId, asked.approval_id, decision, rest);
        await expect(
          user.client.threads.decide(user.threadId, asked.approval_id, decision),
        ).rejects.toMatchObject({ status: 404, code: "not_found" });
      }
      expect(await stream.until("done")).toMatchObject({ status: "completed", response: "Done." });
      expect(stream.of("approval_decided").map((event) => event.decision)).toEqual([
        "allow",
        "deny",
        "allow",
      ]);
      expect(stream.of("code_run").map((event) => event.code)).toEqual(["ran = 'allowed'", "ran"]);
      expect(stream.of("code_run").at(-1)?.output).toContain("allowed");
      expect(models.requests[before + 2]?.body.messages.at(-1)?.content).toContain("not today");

      await user.client.threads.update(user.threadId, { approvals: "off" });
      models.script(python("ran"), say("Done."));
      const free = await user.send("again");
      expect(await free.until("done")).toMatchObject({ status: "completed" });
      expect(free.of("approval")).toEqual([]);
    });

    it("that wait are refused by a stop, and nothing runs", async () => {
      const { models, newThread } = bench();
      models.script(python("open('/workspace/never.txt', 'w')"));
      const user = await newThread({ approvals: "on" });
      const stream = await user.send("go");
      await stream.until("approval");
      expect(await user.stop()).toEqual({ thread_id: user.threadId, was_running: true });
      expect(await stream.until("done")).toMatchObject({ status: "stopped", code_runs: [] });
      expect(stream.of("approval_decided")).toMatchObject([{ decision: "deny" }]);
      const files = await user.client.threads.files(user.threadId).list("/workspace");
      expect(JSON.stringify(files)).not.toContain("never.txt");
    });
  });
}

function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
