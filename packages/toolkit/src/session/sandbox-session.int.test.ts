import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createThreadSandboxes } from "@atoll/lifecycle";
import { Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { missingChromium } from "../../../../tests/support/chromium.ts";
import { describeIf } from "../../../../tests/support/requirements.ts";
import { SandboxSession, type SandboxSessionOptions } from "./sandbox-session.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-sessions-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

const open = (options: SandboxSessionOptions = {}) => SandboxSession.create({ dataDir, ...options });
const python = async (session: SandboxSession, code: string) =>
  (await session.call("code_sandbox", { code })).text;
const living = async () => (await Sandbox.list({ dataDir })).filter(({ state }) => state !== "dead");

/** A program beside the sources, so that packages are found by their names. */
async function writeProgram(body: string): Promise<string> {
  const path = join(import.meta.dirname, `.program-${process.pid}-${Math.random().toString(36).slice(2)}.ts`);
  await writeFile(
    path,
    `import { SandboxSession } from "./sandbox-session.ts";\nconst dataDir = ${JSON.stringify(dataDir)};\n${body}`,
  );
  onTestFinished(() => rm(path));
  return path;
}

/** A session whose process is killed, with its sandbox still alive. */
async function leaveAlive(sessionId: string): Promise<void> {
  const program = await writeProgram(`
const session = await SandboxSession.create({ dataDir, sessionId: "${sessionId}" });
await session.call("execute_python", { code: "import threading\\nlock = threading.Lock()\\nleft = 'as it was'" });
console.log("ready");
setInterval(() => {}, 1000);
`);
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

describe("a session with an id", () => {
  it("finds files and variables again", async () => {
    {
      await using session = await open({ sessionId: "chat 一/1" });
      expect(session.found).toEqual({ restored: [], lost: [] });
      expect(await python(session, "import math\nx = 41\nopen('kept.txt', 'w').write('here')")).toMatch(
        /^4$/m,
      );
    }
    expect(await living()).toEqual([]);
    await using again = await open({ sessionId: "chat 一/1" });
    expect(again.found.restored).toContain("x");
    expect(await python(again, "print(x + 1, math.floor(2.5), open('kept.txt').read())")).toBe("42 2 here");
  });

  it("finds them in another process too", async () => {
    const program = await writeProgram(`
await using session = await SandboxSession.create({ dataDir, sessionId: "chat_123" });
console.log((await session.call("execute_python", { code: "n = globals().get('n', 0) + 1\\nprint('run', n)" })).text);
`);
    const run = () => promisify(execFile)(process.execPath, [program]);
    expect((await run()).stdout).toBe("run 1\n");
    expect((await run()).stdout).toBe("run 2\n");
    expect(await living()).toEqual([]);
  });

  it("is open in one place at a time", async () => {
    await using session = await open({ sessionId: "one-at-a-time" });
    const busy = {
      code: "busy",
      message: expect.stringContaining('"one-at-a-time" is open in another place'),
    };
    await expect(open({ sessionId: "one-at-a-time" })).rejects.toMatchObject(busy);
    const program = await writeProgram(`
await SandboxSession.create({ dataDir, sessionId: "one-at-a-time" }).catch(({ code }) => console.log(code));
`);
    expect((await promisify(execFile)(process.execPath, [program])).stdout).toBe("busy\n");
    expect(await python(session, "print('still here')")).toBe("still here");
    await session.close();
    await (await open({ sessionId: "one-at-a-time" })).close();
  });

  it("continues where a killed process left it, with variables that no snapshot could keep", async () => {
    await leaveAlive("killed");
    await using session = await open({ sessionId: "killed" });
    expect(await python(session, "print(left, lock.locked())")).toBe("as it was False");
  });

  it("holds to other options than those that a killed process has left it with", async () => {
    await leaveAlive("changed");
    await using session = await open({ sessionId: "changed", env: { TONE: "new" } });
    expect(await python(session, "import os\nprint(left, os.environ['TONE'])")).toBe("as it was new");
    expect(session.found.lost.map(({ name }) => name)).toEqual(["lock"]);
  });

  it("tells what it could not keep", async () => {
    const session = await open({ sessionId: "lossy" });
    await python(session, "file = open('/tmp/log', 'w')\nkept = 1");
    expect(await session.close()).toMatchObject([{ name: "file" }]);
    expect(await session.close()).toMatchObject([{ name: "file" }]);
    await expect(session.destroy()).rejects.toMatchObject({ code: "sandbox_dead" });
  });

  it("is gone with all its files when it is destroyed", async () => {
    const session = await open({ sessionId: "to destroy" });
    const { id } = session.sandbox;
    await python(session, "x = 1");
    await session.destroy();
    await session.close();
    expect((await Sandbox.list({ dataDir })).map((listing) => listing.id)).not.toContain(id);
    await using again = await open({ sessionId: "to destroy" });
    expect(again.found.restored).toEqual([]);
  });

  it("is none of a server's that has the same data folder", async () => {
    await using session = await open({ sessionId: "beside-a-server" });
    const threads = createThreadSandboxes({ dataDir, isKnown: () => false, orphanGraceMs: 0 });
    expect(await threads.adopt()).toEqual({ joined: [], removed: [], spared: [] });
    await threads.close();
    expect(await python(session, "print('still here')")).toBe("still here");
  });

  it("takes no sandbox that is not a session's", async () => {
    await using other = await Sandbox.create({ dataDir, id: "session-taken" });
    await expect(open({ sessionId: "taken" })).rejects.toMatchObject({ code: "already_exists" });
    expect(await other.state()).toBe("running");
  });
});

describe("a session without an id", () => {
  it("leaves nothing", async () => {
    const { sandbox, close } = await openAndUse();
    await close();
    expect((await Sandbox.list({ dataDir })).map(({ id }) => id)).not.toContain(sandbox.id);
  });

  it("stops the calls under way when it ends", async () => {
    const session = await open();
    const started = Promise.withResolvers<void>();
    const call = session.call(
      "execute_python",
      { code: "import time\nprint('started', flush=True)\ntime.sleep(1000)" },
      { report: { output: () => started.resolve() } },
    );
    await started.promise;
    await session.close();
    expect(await call).toMatchObject({ isError: true });
    expect(await session.call("execute_shell", { command: "true" })).toMatchObject({ isError: true });
  });

  it("hands out a sandbox that can be used, not destroyed, and shows its ports", async () => {
    await using session = await open();
    expect(session.sandbox).not.toHaveProperty("destroy");
    const { text } = await session.call("preview_url", { port: 8123 });
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  });

  async function openAndUse() {
    const session = await open();
    expect(await python(session, "print(1)")).toBe("1");
    return { sandbox: session.sandbox, close: () => session.close() };
  }
});

describe("an ephemeral session", () => {
  it("forgets variables from run to run, and keeps artifacts on the host", async () => {
    await using session = await open({ sessionId: "fleeting", mode: "ephemeral" });
    await python(session, "x = 1");
    expect(await python(session, "x")).toContain("NameError");
    const code = "open('/work/artifacts/figure.txt', 'w').write('made')";
    const { data } = await session.call("code_sandbox", { code });
    expect(data).toMatchObject({ artifacts: [{ path: "/work/artifacts/figure.txt", change: "new" }] });
    const { artifact_map } = data as { artifact_map: Record<string, string> };
    expect(existsSync(artifact_map["/work/artifacts/figure.txt"] ?? "")).toBe(true);
    expect(await living()).toEqual([]);
  });

  it("says of a tool that needs a lasting sandbox that it is not supported", async () => {
    await using session = await open({ mode: "ephemeral" });
    expect(await session.call("file_read", { file: "x" })).toMatchObject({
      isError: true,
      errorCode: "not_supported",
      text: expect.stringContaining('create it with mode: "pinned"'),
    });
  });
});

describe("LangChain's tools of a session", () => {
  it("are refused in clear words where LangChain is not installed", async () => {
    const program = await writeProgram(`
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith("@langchain/")) return next(specifier, context);
    throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  },
});
await using session = await SandboxSession.create({ dataDir });
await session.getTools().catch(({ code, message }) => console.log(code, message));
`);
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout).toBe("not_supported getTools needs LangChain: npm install @langchain/core\n");
  });
});

describeIf({ suite: "the browser of a session", missing: missingChromium, isRequired: true }, () => {
  const url = "data:text/html,<title>page</title>";
  const ids = async () => (await Sandbox.list({ dataDir })).map(({ id }) => id);

  it("is there when it is used, and ends with the session", async () => {
    const session = await open({ sessionId: "browsing" });
    expect(await session.call("browser_open", { url })).toMatchObject({
      text: expect.stringContaining("Title: page"),
    });
    expect(await ids()).toContain("browser-session-browsing");
    await session.close();
    expect(await living()).toEqual([]);
    const again = await open({ sessionId: "browsing" });
    await again.destroy();
    expect(await ids()).not.toContain("browser-session-browsing");
  });

  it("leaves nothing where the session leaves nothing", async () => {
    const before = await ids();
    {
      await using session = await open();
      expect(await session.call("browser_open", { url })).toMatchObject({ isError: false });
    }
    expect(await ids()).toEqual(before);
  });
});
