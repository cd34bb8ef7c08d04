import type { Answer } from "@atoll/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { LifecycleBench, run, stateOf } from "./lifecycle/bench.ts";

let bench: LifecycleBench;
let server: ServerProcess;
beforeAll(async () => {
  bench = await LifecycleBench.create("routing");
  server = await bench.start({ SANDBOX_RUNTIME: "local" });
});
afterAll(() => bench[Symbol.asyncDispose]());

const place = ({ code_runs: [codeRun] }: Answer) => codeRun?.place;
const create = () => ThreadUser.create(server.url, { runtime: "auto" });

describe("a thread of runtime auto", () => {
  it("says of each run where it ran and why, to the user, in the log and to the model", async () => {
    const user = await create();
    expect(await user.client.threads.get(user.threadId)).toMatchObject({ runtime: "auto" });
    expect(place(await user.ask("print(sum([1, 2]))"))).toEqual({
      runtime: "pyodide",
      reason: "is plain Python",
      reasons: [{ code: "plain" }],
    });
    expect(place(await user.ask("import pandas"))).toEqual({
      runtime: "cpython",
      reason: "imports pandas",
      reasons: [{ code: "module", of: "pandas" }],
    });
    // The tables are loaded by pandas: they live in CPython.
    expect(place(await user.ask("print(len(df))"))).toMatchObject({ runtime: "cpython" });
    const log = await user.log();
    const runs = log.flatMap((event) => (event.type === "code_run" ? [event.place?.runtime] : []));
    expect(runs).toEqual(["pyodide", "cpython", "cpython"]);
    const told = log.flatMap((event) => (event.type === "tool_result" ? [event.output] : []));
    expect(told[0]).toMatch(/\[Ran in Pyodide: the code is plain Python\]/);
    expect(told[1]).toMatch(/\[Ran in CPython: the code imports pandas\]/);
  });

  it("offers the model both runtimes, which other threads do not have", async () => {
    const names = async (user: ThreadUser) => {
      await user.ask("talk");
      const { body } = bench.models.requests.at(-1) ?? {};
      return (body?.tools ?? []).map((tool) => tool.function.name);
    };
    expect(await names(await create())).toEqual(
      expect.arrayContaining(["sandboxed_python", "cpython_python"]),
    );
    const plain = await ThreadUser.create(server.url);
    expect(await names(plain)).not.toContain("sandboxed_python");
    expect(await plain.client.threads.get(plain.threadId)).not.toHaveProperty("runtime");
  });

  it("keeps files and variables of both through rest, wake, a branch and another server", async () => {
    const user = await create();
    const first = await user.ask("light = [1]; note = open('note', 'w').write('one')");
    expect(place(first)).toMatchObject({ runtime: "pyodide" });
    await user.ask("import pandas as pd; heavy = pd.Series([1, 2])");
    await user.client.threads.suspend(user.threadId);
    expect(await stateOf(user)).toBe("cold");
    const look = "print(light, len(heavy), open('note').read(), len(df))";
    expect(await run(user, look)).toBe("[1] 2 one 6218");
    expect(place(await user.ask("print(2 + 2)"))).toMatchObject({ runtime: "pyodide" });

    const { thread_id } = await user.client.threads.branch(user.threadId, { message_id: first.message_id });
    const branch = new ThreadUser(server.url, thread_id);
    expect(await branch.client.threads.get(thread_id)).toMatchObject({ runtime: "auto" });
    expect(await run(branch, "print(light, 'heavy' in globals(), open('note').read())")).toBe(
      "[1] False one",
    );

    await server.kill();
    server = await bench.start({ SANDBOX_RUNTIME: "local" });
    user.moveTo(server.url);
    expect(await run(user, look)).toBe("[1] 2 one 6218");
    expect(place(await user.ask("print(3 + 3)"))).toMatchObject({ runtime: "pyodide" });
    await user.client.threads.remove(user.threadId);
  });

  it("refuses a runtime that there is not", async () => {
    const answer = await fetch(`${server.url}/thread/new`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ runtime: "fast" }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_argument" });
  });
});
