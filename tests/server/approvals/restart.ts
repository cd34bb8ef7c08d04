import type { StoredEvent } from "@atoll/client";
import { beforeAll, describe, expect, it } from "vitest";
import type { EventStream } from "../../support/event-stream.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { python } from "../conversation/bench.ts";
import { replyTo } from "../killed/bench.ts";
import { askForShell, type Bench, letTimePass, sendUntilAsked, threeCalls } from "./bench.ts";
import { callProgram } from "./program.ts";

const cases = ["allow", "deny", "edit", "late", "program", "stop", "queue", "analyst", "remove"] as const;
type Case = (typeof cases)[number];
const messages: Partial<Record<Case, string>> = {
  program: "call tools (program)",
  analyst: "What are the top 5 categories by spend?",
};

const listProcesses = `
import subprocess
print(subprocess.run("sh -c 'cat /proc/[0-9]*/cmdline' | tr '\\0' ' '", shell=True, capture_output=True, text=True).stdout)
`;

/** One thread for each thing that may come of a question, all asked before the server ends. */
export function describeRestart(bench: () => Bench, end: "kill" | "stop"): void {
  describe(`a run that waits for the user when the server is ${end === "kill" ? "killed" : "stopped"}`, () => {
    const users = {} as Record<Case, ThreadUser>;
    const asked = {} as Record<Case, { stream: EventStream; approvalId: string; runId: string }>;
    const decide = (which: Case, ...how: DecideArguments) =>
      users[which].client.threads.decide(users[which].threadId, asked[which].approvalId, ...how);
    const untilDone = async (which: Case) => {
      const rest = await users[which].follow({ lastEventId: asked[which].stream.lastId });
      const done = await rest.until("done", ({ run_id }) => run_id === asked[which].runId);
      rest.close();
      return { done, events: [...asked[which].stream.events, ...rest.events] };
    };
    /** What the model of this thread was sent last. */
    const lastTold = (which: Case) => {
      const isOf = ({ content }: { content: unknown }) => JSON.stringify(content).includes(`(${which})`);
      return bench().models.requests.findLast(({ body }) => body.messages.some(isOf))?.body.messages ?? [];
    };

    beforeAll(async () => {
      const { models, start, path } = bench();
      models.always(
        replyTo({
          "three calls": threeCalls,
          "call tools": callProgram,
          "then this": python("6 * 7"),
          "what runs?": python(listProcesses),
        }),
      );
      const server = await start();
      for (const which of cases) {
        const thread = which === "analyst" ? ({ model: "built-in", approvals: "on" } as const) : askForShell;
        users[which] = await ThreadUser.create(server.url, thread);
        asked[which] = await sendUntilAsked(users[which], messages[which] ?? `three calls (${which})`);
      }
      await users.queue.client.threads.queue(users.queue.threadId, "then this");
      await server[end]();
      await Promise.all(cases.map((which) => asked[which].stream.ended));
      letTimePass(path, users.late.threadId);
      const next = await start();
      for (const user of Object.values(users)) user.moveTo(next.url);
    });

    it("is asked about as before", async () => {
      const { approvals } = await users.allow.client.threads.approvals(users.allow.threadId);
      const [told] = asked.allow.stream.of("approval");
      expect(approvals).toMatchObject([
        {
          approval_id: asked.allow.approvalId,
          run_id: asked.allow.runId,
          tool: "execute_shell",
          input: { command: "cat notes.txt" },
          agent: "main",
          expires_at: told?.expires_at,
        },
      ]);
      const { run } = await users.allow.client.threads.status(users.allow.threadId);
      expect(run).toMatchObject({ run_id: asked.allow.runId, approvals: [asked.allow.approvalId] });
    });

    it("goes on from the log when it is allowed, and nothing runs twice", async () => {
      await decide("allow", "allow");
      const { done, events } = await untilDone("allow");
      expect(done).toMatchObject({ status: "completed", response: "Looking.\n\nAll done." });
      expect(done.code_runs.map(({ output }) => output)).toEqual(["", "x", ""]);
      const outputs = lastTold("allow").filter(({ role }) => role === "tool");
      expect(outputs.map(({ content }) => content)).toEqual([
        expect.stringContaining("1 bytes"),
        expect.stringMatching(/^x$/m),
        expect.stringContaining("2 bytes"),
      ]);
      expect(await users.allow.client.threads.files(users.allow.threadId).readText("notes.txt")).toBe("xy");
      const log = (await users.allow.log()).filter(({ run_id }) => run_id === asked.allow.runId);
      expect(events.filter(({ run_id }) => run_id === asked.allow.runId)).toEqual(log);
      expectOneOfEach(log);
    });

    it("tells the model of a denial", async () => {
      await decide("deny", "deny", { reason: "not today" });
      const { done, events } = await untilDone("deny");
      expect(done).toMatchObject({ status: "completed", response: "Looking.\n\nAll done." });
      expect(lastTold("deny").some(({ content }) => content?.includes("not today"))).toBe(true);
      expect(events.filter(({ type }) => type === "code_run")).toHaveLength(2);
    });

    it("runs with other arguments, and the model is told which", async () => {
      await expect(decide("edit", "allow", { input: { command: 7 } })).rejects.toMatchObject({
        status: 400,
        code: "invalid_argument",
      });
      await decide("edit", "allow", { input: { command: "echo edited" } });
      const { done } = await untilDone("edit");
      expect(done.code_runs[1]).toMatchObject({ code: "echo edited", output: "edited" });
      const told = lastTold("edit").find(({ content }) => content?.includes("changed the arguments"));
      expect(told?.content).toContain('{"command":"echo edited"}');
    });

    it("is refused when its time was up meanwhile", async () => {
      const { done, events } = await untilDone("late");
      expect(done).toMatchObject({ status: "completed" });
      expect(events.find(({ type }) => type === "approval_decided")).toMatchObject({
        decision: "deny",
        by: "timeout",
      });
    });

    it("goes on without the program that asked: the model is told to call it again", async () => {
      const { done, events } = await untilDone("program");
      expect(done).toMatchObject({ status: "completed", response: "All done." });
      expect(events.find(({ type }) => type === "approval_decided")).toMatchObject({
        approval_id: asked.program.approvalId,
        decision: "deny",
        by: "end",
      });
      const results = events.filter((event) => event.type === "tool_result");
      expect(results.at(-1)).toMatchObject({
        tool: "execute_code",
        is_error: true,
        output: expect.stringContaining("call it again"),
      });
      await expect(decide("program", "allow")).rejects.toMatchObject({ status: 404 });
      const { code_runs: runs } = await users.program.ask("what runs?");
      expect(runs[0]?.output).toContain("sh -c");
      expect(runs[0]?.output).not.toContain("whose module `tools`");
    });

    it("can be stopped", async () => {
      expect(await users.stop.stop()).toMatchObject({ was_running: true });
      const { done } = await untilDone("stop");
      expect(done).toMatchObject({ status: "stopped", response: "Looking." });
      expect(done.code_runs).toHaveLength(1);
    });

    it("is answered before the messages behind it", async () => {
      const { queued } = await users.queue.client.threads.status(users.queue.threadId);
      expect(queued).toHaveLength(1);
      await decide("queue", "allow");
      await users.queue.untilIdle();
      const answers = (await users.queue.history()).filter(({ role }) => role === "assistant");
      expect(answers).toMatchObject([
        { run_id: asked.queue.runId, status: "completed" },
        { status: "completed", content: "All done." },
      ]);
    });

    it("goes on with the built-in analyst, which says everything once", async () => {
      await decide("analyst", "allow");
      const { done, events } = await untilDone("analyst");
      expect(done).toMatchObject({ status: "completed", model: "built-in" });
      expect(done.response).toContain("Rent");
      expect(done.code_runs).toHaveLength(1);
      expectOneOfEach(events.filter(({ run_id }) => run_id === asked.analyst.runId));
      const statuses = events.filter((event) => event.type === "status").map(({ text }) => text);
      expect(statuses).toEqual([...new Set(statuses)]);
    });

    it("goes with its thread", async () => {
      await users.remove.client.threads.remove(users.remove.threadId);
      await expect(users.remove.client.threads.get(users.remove.threadId)).rejects.toMatchObject({
        status: 404,
      });
    });
  });
}

type DecideArguments =
  Parameters<ThreadUser["client"]["threads"]["decide"]> extends [string, string, ...infer Rest]
    ? Rest
    : never;

/** A call has one announcement and one result, a run one start and one end. */
function expectOneOfEach(events: readonly StoredEvent[]): void {
  for (const type of ["tool_call", "tool_result"] as const) {
    const ids = events.flatMap((event) => (event.type === type ? event.call_id : []));
    expect(ids).toEqual([...new Set(ids)]);
  }
  const ends = events.filter(({ type }) => type === "run_started" || type === "done");
  expect(ends.map(({ type }) => type)).toEqual(["run_started", "done"]);
}
