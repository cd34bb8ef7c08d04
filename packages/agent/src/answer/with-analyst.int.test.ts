import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { loadTables, type PythonOutcome } from "@atoll/analyst";
import { runOutcomeSchema } from "@atoll/protocol/schemas";
import type { AnswerRequest } from "../request.ts";
import { type Analyst, answerWithAnalyst } from "./with-analyst.ts";
import { testRequest } from "../loop/request.harness.ts";

let dataDir = "";
let sandbox: SandboxHandle;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-analyst-"));
  const datasets = { "transactions.csv": resolve(import.meta.dirname, "../../../../data/transactions.csv") };
  sandbox = await Sandbox.create({ dataDir, datasets });
});
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const prepare = (overrides: Partial<AnswerRequest> = {}) =>
  testRequest("http://unused", {
    model: { kind: "built-in" },
    wake: () => Promise.resolve({ sandbox: sandbox.restricted(), state: "hot", wakeMs: 2 }),
    ...overrides,
  });

describe("the actions of the built-in analyst", () => {
  it("run code with the events of a model's call, and speak", async () => {
    let seen: PythonOutcome | undefined;
    const analyst: Analyst = async (question, _, actions) => {
      actions.status("Reading the question");
      actions.say(`You asked: ${question}`);
      seen = await actions.runPython("import pandas as pd\nprint('p')\npd.DataFrame({'a': [1]})");
      actions.say("One row.");
    };
    const test = prepare({ message: "how many rows" });
    const outcome = await answerWithAnalyst(test.request, analyst);
    runOutcomeSchema.parse(outcome);
    expect(test.types).toEqual([
      "status",
      "token",
      "tool_call",
      "output",
      "result",
      "code_run",
      "tool_result",
      "token",
      "title",
    ]);
    expect(seen).toMatchObject({
      run: { status: "ok" },
      results: [{ isImage: false, table: { total_rows: 1 } }],
    });
    expect(outcome).toMatchObject({
      status: "completed",
      model: "built-in",
      response: "You asked: how many rows\n\nOne row.",
      container_state: "hot",
      openai_calls: 0,
      code_runs: [{ status: "ok" }],
    });
    expect(outcome.timings_ms.ttft).toBeGreaterThan(0);
  });

  it("ask for approval, and learn of a refusal", async () => {
    let seen: PythonOutcome | undefined;
    const test = prepare({ approve: () => Promise.resolve({ decision: "deny", reason: "not today" }) });
    const outcome = await answerWithAnalyst(test.request, async (_, __, actions) => {
      seen = await actions.runPython("1");
    });
    expect(seen?.run).toMatchObject({
      status: "error",
      error: { value: expect.stringContaining("not today") },
    });
    expect(outcome).toMatchObject({ status: "completed", code_runs: [] });
  });

  it("are tied by a stop", async () => {
    const test = prepare();
    const running = answerWithAnalyst(test.request, async (_, __, actions) => {
      actions.say("Working.");
      await actions.runPython("import time\nprint('begun', flush=True)\ntime.sleep(600)");
      actions.say("Never said.");
    });
    await test.until("output");
    test.stop();
    expect(await running).toMatchObject({
      status: "stopped",
      response: "Working.",
      code_runs: [{ status: "killed" }],
    });
  });

  it("tell of a sandbox that cannot be had", async () => {
    const test = prepare({ wake: () => Promise.reject(new Error("ENOENT /secret/host/path")) });
    const outcome = await answerWithAnalyst(test.request, async (_, __, actions) => {
      await actions.runPython("1");
    });
    expect(outcome.status).toBe("failed");
    expect(test.of("error")).toMatchObject([{ code: "sandbox_unavailable" }]);
    expect(JSON.stringify(test.events)).not.toContain("/secret");
  });
});

describe("an answer without a model", () => {
  it("is made of code, a table, a figure and words with the table's numbers", async () => {
    const data = await loadTables(sandbox.restricted());
    const test = prepare({ data, message: "What are the top 5 categories by spend?" });
    const outcome = await answer(test.request);
    expect(outcome).toMatchObject({ status: "completed", model: "built-in", code_runs: [{ status: "ok" }] });
    const table = test.of("result").find((result) => result.table)?.table;
    expect(table?.rows).toHaveLength(5);
    expect(test.of("result").some((result) => result.image)).toBe(true);
    const leader = [...(table?.index ?? []), ...(table?.rows[0] ?? [])].find(
      (value) => typeof value === "string",
    );
    expect(outcome.response).toContain(leader);
    expect(
      test
        .of("token")
        .map((token) => token.text)
        .join(""),
    ).toBe(outcome.response);
  });
});
