import type { StoredEvent } from "@atoll/client";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventStream } from "../../support/event-stream.ts";
import {
  createGate,
  finish,
  reply,
  text,
  toolCall,
  toolCalls,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { type Bench, replyTo } from "./bench.ts";

const run = (code: string) => reply(toolCall("execute_python", { code }), finish("tool_calls"));
const keep = "kept = 'a variable'; open('kept.txt', 'w').write('a file')";
const recall = "print(kept, '|', open('kept.txt').read(), '|', len(df))";
const recalled = "a variable | a file | 6218";

/** One thread for each moment at which the server may die; they all die at once. */
export function describeMidAnswer(bench: () => Bench): void {
  describe("a server that is killed in the middle of answers", () => {
    const moments = ["silent", "speaking", "running", "between", "asking", "taken", "idle"] as const;
    type Moment = (typeof moments)[number];
    const users = {} as Record<Moment, ThreadUser>;
    const streams = {} as Record<Moment, EventStream>;
    /** Texts of messages that the server said it has. */
    const acknowledged = new Map<ThreadUser, string[]>();
    const send = async (moment: Moment, message: string) => {
      const stream = await users[moment].send(message);
      await stream.until("message");
      acknowledged.set(users[moment], [...(acknowledged.get(users[moment]) ?? []), message]);
      return stream;
    };

    beforeAll(async () => {
      const { models, start } = bench();
      const [never, silent, between] = [createGate(), createGate(), createGate()];
      models.always(
        replyTo({
          "be silent": reply(waitFor(silent)),
          "speak up": reply(text("Half "), text("an answer"), waitFor(never)),
          "run on": run("print('begun', flush=True)\nimport time\ntime.sleep(600)"),
          "run, then speak": reply(
            toolCalls({ name: "execute_python", args: { code: "21 * 2" } }),
            finish("tool_calls"),
          ),
          "ask me": run("print('never')"),
          keep: run(keep),
          recall: run(recall),
        }),
      );
      const server = await start();
      for (const moment of moments) users[moment] = await ThreadUser.create(server.url);
      await Promise.all([users.running, users.idle].map((user) => user.ask("keep")));
      await users.asking.client.threads.update(users.asking.threadId, { approvals: "on" });

      streams.silent = await send("silent", "be silent");
      streams.speaking = await send("speaking", "speak up");
      streams.running = await send("running", "run on");
      streams.asking = await send("asking", "ask me");
      await Promise.all([
        silent.reached,
        streams.speaking.untilText("an answer"),
        streams.running.until("output"),
        streams.asking.until("approval"),
      ]);
      const waiting = await send("running", "and then?");
      models.script(
        reply(toolCall("execute_python", { code: "21 * 2" }), finish("tool_calls")),
        reply(waitFor(between)),
      );
      streams.between = await send("between", "run, then speak");
      await between.reached;
      streams.idle = await users.idle.follow();
      await streams.idle.until("done");
      streams.taken = await send("taken", "hardly sent");
      await server.kill();
      await Promise.all([...Object.values(streams), waiting].map((stream) => stream.ended));

      const next = await start();
      for (const user of Object.values(users)) user.moveTo(next.url);
    });

    it("has lost no message that it had acknowledged", async () => {
      for (const [user, messages] of acknowledged) {
        const questions = (await user.history()).filter(({ role }) => role === "user");
        expect(questions.map(({ content }) => content)).toEqual(expect.arrayContaining(messages));
      }
    });

    it.each([
      ["before the first word", "silent", ""],
      ["between two words", "speaking", "Half an answer"],
      ["while code runs", "running", ""],
      ["between two calls of the model", "between", ""],
    ] as const)("closes a run that was cut off %s, and keeps what was said", async (_, moment, said) => {
      const { run_id } = await streams[moment].until("run_started");
      const events = (await users[moment].log()).filter((event) => event.run_id === run_id);
      expect(events.at(-2)).toMatchObject({
        type: "error",
        code: "interrupted",
        message: expect.stringContaining("ended while it answered"),
        hint: expect.stringContaining("again"),
      });
      expect(events.at(-1)).toMatchObject({ type: "done", status: "interrupted", response: said });
      expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    });

    it("counts the code of a run that was cut off, as any other run does", async () => {
      const done = (await users.between.log()).find((event) => event.type === "done");
      const told = streams.between.of("code_run")[0];
      const {
        type: _,
        id: __,
        at: ___,
        thread_id: ____,
        run_id: _____,
        ...codeRun
      } = told as StoredEvent & { type: "code_run" };
      expect(done).toMatchObject({ status: "interrupted" });
      expect(done?.type === "done" && done.code_runs).toEqual([codeRun]);
    });

    it("goes on with a run whose question to the user was open", async () => {
      const { approval_id } = await streams.asking.until("approval");
      const { client, threadId } = users.asking;
      const { approvals } = await client.threads.approvals(threadId);
      expect(approvals.map((open) => open.approval_id)).toEqual([approval_id]);
      await client.threads.decide(threadId, approval_id, "deny");
      await users.asking.untilIdle();
      expect((await users.asking.history()).at(-1)).toMatchObject({ status: "completed" });
    });

    it("answers the messages that waited or had hardly been taken", async () => {
      await Promise.all([users.running, users.taken].map((user) => user.untilIdle()));
      const answers = (await users.running.history()).filter(({ role }) => role === "assistant");
      expect(answers.map(({ status }) => status)).toEqual(["completed", "interrupted", "completed"]);
      expect((await users.taken.history()).at(-1)?.status).toMatch(/^(completed|interrupted)$/);
    });

    it("gives a reader who comes back with the last id exactly what is missing", async () => {
      for (const moment of moments) {
        const user = users[moment];
        await user.untilIdle();
        const before = streams[moment].events;
        const rest = await user.follow({ lastEventId: streams[moment].lastId });
        const log = (await user.log()).filter(({ id }) => id >= (before[0]?.id ?? 0));
        const last = log.at(-1);
        if (last && last.id > streams[moment].lastId) await rest.until(last.type, ({ id }) => id === last.id);
        rest.close();
        const all = [...before, ...rest.events];
        expect(all).toEqual(log);
        const ids = all.map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
      }
    });

    it.each(["idle", "running"] as const)(
      "goes on in a thread that was %s: files, variables and tables are there",
      async (moment) => {
        const answer = await users[moment].ask("recall");
        expect(answer).toMatchObject({ status: "completed", response: "All done." });
        expect(answer.code_runs[0]?.output).toContain(recalled);
        const files = users[moment].client.threads.files(users[moment].threadId);
        expect(await files.readText("/workspace/kept.txt")).toBe("a file");
      },
    );
  });
}
