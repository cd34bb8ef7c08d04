import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { Experimental_SandboxSession } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toAiSandbox } from "./ai-sandbox.ts";

let dataDir = "";
let handle: SandboxHandle;
let sandbox: Experimental_SandboxSession;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-ai-sandbox-"));
  handle = await Sandbox.create({ dataDir });
  sandbox = toAiSandbox(handle.restricted());
});
afterAll(async () => {
  await handle.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

describe("a command", () => {
  it("gives its output and exit code, in its folder and with its variables", async () => {
    await sandbox.writeTextFile({ path: "deep/er/x.txt", content: "x" });
    const { exitCode, stdout, stderr } = await sandbox.run({
      command: 'pwd; echo "$TONE" >&2; exit 3',
      workingDirectory: "deep/er",
      env: { TONE: "low" },
    });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 3,
      stdout: "/workspace/deep/er\n",
      stderr: "low\n",
    });
  });

  it("is killed by an abort, and rejects with it", async () => {
    const reason = new Error("enough");
    const giveUp = new AbortController();
    const running = sandbox.run({ command: "touch began; sleep 1000", abortSignal: giveUp.signal });
    while (!(await handle.files.exists("began")));
    giveUp.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(sandbox.run({ command: "true", abortSignal: giveUp.signal })).rejects.toBe(reason);
    expect(
      (await handle.processes.list()).some(({ commandLine }) => commandLine.includes("sleep 1000")),
    ).toBe(false);
  });

  it("says why it was stopped at the sandbox's own limit", async () => {
    await using brief = await Sandbox.create({ dataDir, limits: { timeoutMs: 100 } });
    const { exitCode, stderr } = await toAiSandbox(brief.restricted()).run({ command: "sleep 1000" });
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/\[.+\]/);
  });
});

describe("a process", () => {
  it("streams both outputs apart, in full, also when one is read after it has ended", async () => {
    const process = await sandbox.spawn({ command: "seq 1 20000; echo warned >&2; exit 4" });
    expect(await process.wait()).toEqual({ exitCode: 4 });
    expect(await text(process.stderr)).toBe("warned\n");
    const lines = (await text(process.stdout)).trimEnd().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([20_000, "1", "20000"]);
    expect(process.pid).toBeGreaterThan(1);
    expect(process).not.toHaveProperty("stdin");
  });

  it("says so when more was printed than is kept for a reader who comes late", async () => {
    const process = await sandbox.spawn({ command: "head -c 20000000 /dev/zero; echo end >&2" });
    await process.wait();
    await expect(text(process.stdout)).rejects.toMatchObject({ code: "too_large" });
    expect(await text(process.stderr)).toBe("end\n");
  });

  it("reads what is written to it until that is closed", async () => {
    const process = await sandbox.spawn({ command: "sort", stdin: true });
    const writer = process.stdin.getWriter();
    await writer.write(new TextEncoder().encode("b\na\n"));
    await writer.close();
    expect(await text(process.stdout)).toBe("a\nb\n");
    expect(await process.wait()).toEqual({ exitCode: 0 });
  });

  it("can be killed any number of times", async () => {
    const process = await sandbox.spawn({ command: "sleep 1000" });
    await process.kill();
    expect((await process.wait()).exitCode).toBe(137);
    await process.kill();
    expect(await text(process.stdout)).toBe("");
  });

  it("is killed by an abort, and waiting for it rejects with the reason", async () => {
    const reason = new Error("enough");
    const giveUp = new AbortController();
    const process = await sandbox.spawn({ command: "sleep 1000", abortSignal: giveUp.signal });
    const waiting = process.wait();
    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it("stops reading for a stream that is cancelled", async () => {
    const process = await sandbox.spawn({ command: "yes | head -c 1000000; sleep 1000" });
    const reader = process.stdout.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    await reader.cancel();
    await process.kill();
    expect((await process.wait()).exitCode).toBe(137);
  });
});

describe("a file", () => {
  it("comes back as it was written, as text, bytes or a stream", async () => {
    const bytes = new Uint8Array([0, 255, 10, 13]);
    await sandbox.writeBinaryFile({ path: "a/b.bin", content: bytes });
    expect(new Uint8Array((await sandbox.readBinaryFile({ path: "a/b.bin" })) ?? [])).toEqual(bytes);
    const large = new Blob(["数据\n".repeat(300_000)]);
    await sandbox.writeFile({ path: "/workspace/a/large.txt", content: large.stream() });
    const stream = await sandbox.readFile({ path: "a/large.txt" });
    expect(await text(stream as ReadableStream)).toBe(await large.text());
    await sandbox.writeTextFile({ path: "a/wide.txt", content: "é", encoding: "utf-16le" });
    expect(await sandbox.readTextFile({ path: "a/wide.txt", encoding: "utf-16le" })).toBe("é");
    await expect(sandbox.writeTextFile({ path: "x", content: "", encoding: "klingon" })).rejects.toThrow(
      "klingon",
    );
    await sandbox.writeTextFile({ path: "a/empty", content: "" });
    expect(await text((await sandbox.readFile({ path: "a/empty" })) as ReadableStream)).toBe("");
  });

  it.each([
    ["\n", undefined, undefined, "1\n2\n3\n"],
    ["\n", 2, undefined, "2\n3\n"],
    ["\r\n", 2, 3, "2\r\n3"],
    ["\r", undefined, 1, "1"],
    ["\n", 2, 99, "2\n3\n"],
    ["\n", 99, undefined, ""],
  ])("is read in lines (%j, %s to %s)", async (ending, startLine, endLine, expected) => {
    await sandbox.writeTextFile({ path: "lines.txt", content: ["1", "2", "3", ""].join(ending) });
    const range = { ...(startLine && { startLine }), ...(endLine && { endLine }) };
    expect(await sandbox.readTextFile({ path: "lines.txt", ...range })).toBe(expected);
  });

  it("that is not there is null, or false, and no failure", async () => {
    for (const path of ["nowhere", "lines.txt/below"]) {
      expect(await sandbox.readFile({ path })).toBe(null);
      expect(await sandbox.readBinaryFile({ path })).toBe(null);
      expect(await sandbox.readTextFile({ path })).toBe(null);
      expect(await sandbox.stat({ path })).toBe(null);
      expect(await sandbox.deleteFile({ path })).toBe(false);
    }
    expect(await sandbox.listDirectory({ path: "nowhere" })).toBe(null);
  });

  it("distinguishes files from folders, and follows links on request", async () => {
    await sandbox.run({
      command:
        "mkdir -p d; ln -sfn d to-d; ln -sf to-d/f to-f; echo 123 > d/f; ln -sf gone broken; mkfifo pipe",
    });
    expect(await sandbox.stat({ path: "to-f" })).toEqual({ type: "file", size: 4 });
    expect(await sandbox.stat({ path: "to-d" })).toMatchObject({ type: "directory" });
    expect(await sandbox.stat({ path: "d" })).toMatchObject({ type: "directory" });
    expect(await sandbox.stat({ path: "broken" })).toBe(null);
    expect(await sandbox.stat({ path: "pipe" })).toMatchObject({ type: "other" });
    const entries = await sandbox.listDirectory({ path: "." });
    expect(entries).toContainEqual({ name: "to-f", type: "symlink" });
    expect(entries).toContainEqual({ name: "d", type: "directory" });
    expect(await sandbox.listDirectory({ path: "to-d" })).toEqual([{ name: "f", type: "file" }]);
    expect(await sandbox.deleteFile({ path: "to-f" })).toBe(true);
    expect(await sandbox.stat({ path: "d/f" })).toMatchObject({ type: "file" });
  });

  it("is refused where it cannot be one", async () => {
    await sandbox.run({ command: "mkdir -p d" });
    await expect(sandbox.deleteFile({ path: "d" })).rejects.toMatchObject({ code: "not_a_file" });
    await expect(sandbox.writeTextFile({ path: "d", content: "x" })).rejects.toThrow();
    await expect(sandbox.listDirectory({ path: "lines.txt" })).rejects.toThrow();
    await expect(sandbox.readBinaryFile({ path: "d" })).rejects.toThrow();
  });
});
