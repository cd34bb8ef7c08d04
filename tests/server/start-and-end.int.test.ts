import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { createGate, type ScriptedOpenAI, startScriptedOpenAI } from "../support/scripted-openai/index.ts";
import { answer as say, reply, text, waitFor } from "../support/scripted-openai/index.ts";
import { ServerProcess } from "../support/server-process.ts";
import { ThreadUser } from "../support/thread-user.ts";
import { modelEnvironment, python } from "./conversation/bench.ts";

let folder: DataFolder;
let models: ScriptedOpenAI;
let server: ServerProcess;
beforeAll(async () => {
  [folder, models] = await Promise.all([DataFolder.create("ends"), startScriptedOpenAI()]);
  server = await folder.start({ env: modelEnvironment(models) });
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await models.close();
});

describe("a server that is told to end", () => {
  it("closes what runs with a clear event, keeps the variables, and the next one goes on with both", async () => {
    const [speaking, running, waiting] = [
      await ThreadUser.create(server.url),
      await ThreadUser.create(server.url),
      await ThreadUser.create(server.url),
    ];
    models.script(
      python("answer = 42; log = open('/tmp/log', 'w'); open('kept.txt', 'w').write('kept')"),
      say("Set."),
    );
    await speaking.ask("set a variable");
    models.script(python("before = 'this'"), say("Set."));
    await running.ask("set another");

    models.script(reply(text("Half "), text("an answer"), waitFor(createGate())));
    const spoken = await speaking.send("speak");
    await spoken.untilText("an answer");
    models.script(python("print('begun', flush=True)\nimport time\ntime.sleep(600)"));
    const run = await running.send("run");
    await run.until("output");
    models.script(reply(text("Busy"), waitFor(createGate())), say("Your turn."));
    const busy = await waiting.send("first");
    await busy.untilText("Busy");
    const queued = await waiting.send("second");
    await queued.until("message");

    await server.stop();
    expect(server.child.exitCode).toBe(0);
    await Promise.all([spoken, run, busy, queued].map((stream) => stream.ended));

    server = await folder.start({ env: modelEnvironment(models) });
    for (const user of [speaking, running, waiting]) user.moveTo(server.url);
    for (const [user, stream, said] of [
      [speaking, spoken, "Half an answer"],
      [running, run, ""],
      [waiting, busy, "Busy"],
    ] as const) {
      const { run_id } = await stream.until("run_started");
      const events = (await user.log()).filter((event) => event.run_id === run_id);
      expect(events.at(-2)).toMatchObject({ type: "error", code: "interrupted", hint: expect.any(String) });
      expect(events.at(-1)).toMatchObject({ type: "done", status: "interrupted", response: said });
      expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    }
    await waiting.untilIdle();
    expect((await waiting.history()).at(-1)).toMatchObject({ status: "completed", content: "Your turn." });

    models.script(python("print(answer, len(df), open('kept.txt').read())"), say("There."));
    const back = await speaking.ask("what is left?");
    expect(back.code_runs[0]?.output).toContain("42 6218 kept");
    expect(back.container_state).toMatch(/^cold→hot/);
    // The open file could not be kept: the model hears of it with its first result.
    expect(models.requests.at(-1)?.body.messages.at(-1)?.content).toMatch(/lost.*\blog\b/);
    models.script(python("print(before, len(df))"), say("There."));
    expect((await running.ask("and here?")).code_runs[0]?.output).toContain("this 6218");
  });
});

describe("a server that cannot start says why and what to change", () => {
  const start = async (env: Record<string, string>) => {
    const own = await DataFolder.create("refused");
    onTestFinished(() => own.remove());
    return own.start({ env }).then(
      async (server) => {
        await server.stop();
        return "it started";
      },
      (error: Error) => error.message,
    );
  };

  it("when another one has its data folder", async () => {
    const refusal = await ServerProcess.start({ dataDir: folder.path }).then(
      String,
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(
      /^the server ended \(1\):\natoll: Another Atoll server \(process \d+\) is using this data folder\. .*ATOLL_DATA_DIR/,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("when its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const refusal = await start({ PORT: String(port) });
    expect(refusal).toBe(
      `the server ended (1):\natoll: port ${port} is in use: end what uses it, or set PORT`,
    );
  });

  it("when a variable is wrong, with every one that is", async () => {
    const refusal = await start({ PORT: "eighty", MAX_UPLOAD_MB: "-1", ATOLL_TOKEN: "short secret" });
    expect(refusal).toMatch(/^the server ended \(1\):/);
    for (const name of ["PORT", "MAX_UPLOAD_MB", "ATOLL_TOKEN"]) expect(refusal).toContain(name);
    expect(refusal).not.toContain("short secret");
    expect(refusal).not.toMatch(/\n\s+at /);
  });
});
