import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localDriver, Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeIf } from "../../../tests/support/requirements.ts";
import { createThreadSandboxes } from "./thread-sandboxes.ts";

const missing = await localDriver.unavailableBecause();

describeIf({ suite: "the sandboxes of threads", missing, isRequired: true }, () => {
  let dataDir = "";
  const opened: { close(): Promise<void> }[] = [];
  const open = (restAfterMs?: number) => {
    const sandboxes = createThreadSandboxes({
      dataDir,
      ...(restAfterMs === undefined ? {} : { restAfterMs }),
    });
    opened.push(sandboxes);
    return sandboxes;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-lifecycle-"));
  });
  afterAll(async () => {
    for (const sandboxes of opened) await sandboxes.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("are made once, however many ask at the same time, and are hot from then on", async () => {
    const sandboxes = open();
    expect(sandboxes.state("thread-a")).toBe("cold");
    const [first, second] = await Promise.all([
      sandboxes.wake("thread-a", {}),
      sandboxes.wake("thread-a", {}),
    ]);
    expect([first.from, first.isFresh]).toEqual(["new", true]);
    expect(second).toBe(first);
    const again = await sandboxes.wake("thread-a", {});
    expect([again.from, again.isFresh, sandboxes.state("thread-a")]).toEqual(["hot", false, "hot"]);
  });

  it("rest with their files and variables, come back once, and say what was lost", async () => {
    const sandboxes = open();
    const { sandbox } = await sandboxes.wake("thread-b", {});
    await sandbox.python.run("kept = 42\nlog = open('/tmp/x', 'w')");
    await sandbox.files.write("note.txt", "here");
    await sandboxes.rest("thread-b");
    expect(sandboxes.state("thread-b")).toBe("cold");

    const woken = await sandboxes.wake("thread-b", {});
    expect([woken.from, woken.isFresh]).toEqual(["cold", false]);
    expect(woken.lost.map(({ name }) => name)).toEqual(["log"]);
    expect((await woken.sandbox.python.run("kept")).results[0]?.text).toBe("42");
    expect(await woken.sandbox.files.readText("note.txt")).toBe("here");
  });

  it("are joined again after their server died, and begin anew when they died too", async () => {
    const before = open();
    const { sandbox } = await before.wake("thread-c", {});
    await sandbox.python.run("x = 1");
    const after = open();
    const adopted = await after.wake("thread-c", {});
    expect([adopted.from, adopted.isFresh]).toEqual(["hot", false]);
    expect((await adopted.sandbox.python.run("x")).results[0]?.text).toBe("1");

    await (await Sandbox.attach("thread-c", { dataDir })).destroy({ keepFiles: true });
    const anew = await after.wake("thread-c", {});
    expect([anew.from, anew.isFresh]).toEqual(["cold", true]);
  });

  it("rest by themselves when idle, but neither while held nor while something runs", async () => {
    const sandboxes = open(40);
    const resting = async (id: string) => {
      await expect.poll(() => sandboxes.state(id), { timeout: 20_000 }).toBe("cold");
    };
    await sandboxes.wake("thread-idle", {});
    const release = sandboxes.keepAwake("thread-held");
    await sandboxes.wake("thread-held", {});
    const busy = await sandboxes.wake("thread-busy", {});
    const server = await busy.sandbox.commands.spawn("cat", { stdin: true });
    await resting("thread-idle");
    expect([sandboxes.state("thread-held"), sandboxes.state("thread-busy")]).toEqual(["hot", "hot"]);
    release();
    await server.kill();
    await resting("thread-held");
    await resting("thread-busy");
  });

  it("are removed with their files, also while they rest, and removing nothing is no error", async () => {
    const sandboxes = open();
    const { sandbox } = await sandboxes.wake("thread-d", {});
    await sandbox.files.write("secret.txt", "x");
    await sandboxes.rest("thread-d");
    await sandboxes.remove("thread-d");
    await sandboxes.remove("thread-never");
    expect((await Sandbox.list({ dataDir })).map(({ id }) => id)).not.toContain("thread-d");
    expect((await sandboxes.wake("thread-d", {})).from).toBe("new");
  });
});
