import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { isSandboxBackend, isSandboxProtocol } from "deepagents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openToolSession } from "../session/tool-session.ts";
import { AtollBackend } from "./deepagents.ts";

let dataDir = "";
let sandbox: SandboxHandle;
let backend: AtollBackend;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-deepagents-"));
  sandbox = await Sandbox.create({ dataDir });
  backend = new AtollBackend(sandbox.restricted());
});
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const at = (name: string) => `/workspace/${name}`;
const png = Buffer.from("iVBORw0KGgo=", "base64");

describe("a back end for deepagents", () => {
  it("is known as a sandbox by deepagents itself", () => {
    expect(isSandboxBackend(backend)).toBe(true);
    expect(isSandboxProtocol(backend)).toBe(true);
    expect(backend.id).toBe(sandbox.id);
  });

  it("runs commands, with both outputs in one text, the exit code and what was cut", async () => {
    expect(await backend.execute("echo out; echo err >&2; exit 3")).toEqual({
      output: "out\nerr",
      exitCode: 3,
      truncated: false,
    });
    const { output, truncated } = await backend.execute("head -c 3000000 /dev/zero | tr '\\0' x");
    expect(truncated).toBe(true);
    expect(output.length).toBeLessThan(2_000_000);
  });

  it("writes files, over what is there, in folders that it makes", async () => {
    expect(await backend.write(at("deep/a.txt"), "一\n")).toEqual({
      path: at("deep/a.txt"),
      filesUpdate: null,
    });
    expect(await backend.write(at("deep/a.txt"), "二\n")).not.toHaveProperty("error");
    expect(await sandbox.files.readText("deep/a.txt")).toBe("二\n");
    expect((await backend.execute("cat deep/a.txt")).output).toBe("二");
  });

  it("says where files can be written when they cannot be there", async () => {
    const { error } = await backend.write("/etc/notes.txt", "x");
    expect(error).toMatch(/write to \/workspace/);
  });

  it("reads text in windows of lines", async () => {
    await backend.write(at("lines.txt"), Array.from({ length: 10 }, (_, line) => `line ${line}\n`).join(""));
    expect(await backend.read(at("lines.txt"), 2, 3)).toEqual({
      content: "line 2\nline 3\nline 4",
      mimeType: "text/plain",
      totalLines: 10,
      startLine: 3,
      endLine: 5,
      nextOffset: 5,
    });
    const whole = await backend.read(at("lines.txt"));
    expect(whole).toMatchObject({ startLine: 1, endLine: 10 });
    expect(whole).not.toHaveProperty("nextOffset");
    expect(await backend.read(at("lines.txt"), 99)).toEqual({
      content: "",
      mimeType: "text/plain",
      totalLines: 10,
    });
    expect(await backend.read(at("lines.txt"), -1.5, Number.NaN)).toMatchObject({ content: "" });
  });

  it("reads what is no text as bytes", async () => {
    await backend.uploadFiles([[at("figure.png"), png]]);
    const { content, mimeType } = await backend.read(at("figure.png"));
    expect([Buffer.from(content as Uint8Array), mimeType]).toEqual([png, "image/png"]);
    await sandbox.files.write("blob", new Uint8Array([0xff, 0xfe]));
    expect(await backend.read(at("blob"))).toMatchObject({ mimeType: "application/octet-stream" });
    await backend.write(at("given.png"), png.toString("base64"));
    expect(Buffer.from(await sandbox.files.read("given.png"))).toEqual(png);
  });

  it("gives raw data with its time", async () => {
    await backend.write(at("raw.txt"), "数\n");
    const { data } = await backend.readRaw(at("raw.txt"));
    expect(data).toMatchObject({ content: "数\n", mimeType: "text/plain" });
    expect(Date.parse(data?.modified_at ?? "")).not.toBeNaN();
  });

  it("edits exactly what is meant, and nothing where that is not clear", async () => {
    await sandbox.files.write("edit.sh", "a\r\nb\na\r\n", { mode: 0o755 });
    const edit = (...args: [string, string, boolean?]) => backend.edit(at("edit.sh"), ...args);
    expect((await edit("a", "c")).error).toMatch(/Multiple occurrences/);
    expect((await edit("nothing", "c")).error).toMatch(/not found/);
    expect((await edit("", "c")).error).toMatch(/must not be empty/);
    expect(await edit("a", "$&", true)).toMatchObject({ occurrences: 2 });
    expect(await edit("b", "B")).toMatchObject({ occurrences: 1, path: at("edit.sh") });
    expect(await sandbox.files.readText("edit.sh")).toBe("$&\r\nB\n$&\r\n");
    expect((await sandbox.files.stat("edit.sh")).mode & 0o777).toBe(0o755);
    await backend.write(at("empty"), "");
    expect(await backend.edit(at("empty"), "", "first")).toMatchObject({ occurrences: 1 });
    await sandbox.files.write("latin", new Uint8Array([0xe9]));
    expect((await backend.edit(at("latin"), "e", "x")).error).toMatch(/no UTF-8/);
  });

  it("lists a folder, with a slash after folders", async () => {
    await backend.execute("mkdir -p listed/inner; echo 123 > listed/file");
    const { files } = await backend.ls(at("listed"));
    expect(files).toMatchObject([
      { path: at("listed/file"), is_dir: false, size: 4 },
      { path: at("listed/inner/"), is_dir: true },
    ]);
  });

  it("finds files by name, by default in the workspace", async () => {
    await backend.execute("mkdir -p g/inner; touch g/a.py g/inner/b.py");
    const paths = async (...args: Parameters<AtollBackend["glob"]>) =>
      (await backend.glob(...args)).files?.map(({ path }) => path);
    expect(await paths("**/*.py")).toEqual([at("g/a.py"), at("g/inner/b.py")]);
    expect(await paths("**/*.py", "/")).toEqual([at("g/a.py"), at("g/inner/b.py")]);
    expect(await paths("*.py", at("g"))).toEqual([at("g/a.py")]);
    expect(await paths(at("g/*.py"))).toEqual([at("g/a.py")]);
    expect(await paths("*.nothing")).toEqual([]);
  });

  it("searches for text as it stands, with a filter and a cap", async () => {
    await backend.write(at("s/a.md"), "f(x)[0].*\nf(x)\n");
    await backend.write(at("s/b.txt"), "f(x)[0].*\n");
    const match = { path: at("s/a.md"), line: 1, text: "f(x)[0].*" };
    expect(await backend.grep("(x)[0].*", at("s"), "*.md")).toEqual({ matches: [match], truncated: false });
    expect(await backend.grep("f(x)", at("s"), null, 1)).toEqual({ matches: [match], truncated: true });
    expect((await backend.grep("[0].*")).matches).toHaveLength(2);
  });

  it("deletes files and folders, once", async () => {
    await backend.write(at("gone/a"), "x");
    expect(await backend.delete(at("gone"))).toEqual({ path: at("gone"), filesUpdate: null });
    expect((await backend.delete(at("gone"))).error).toMatch(/gone/);
  });

  it("says what is not there instead of failing", async () => {
    const path = at("nowhere");
    for (const answer of [
      backend.ls(path),
      backend.read(path),
      backend.readRaw(path),
      backend.edit(path, "a", "b"),
    ])
      expect((await answer).error).toMatch(/nowhere/);
    expect((await backend.grep("x", path)).error).toMatch(/nowhere/);
    expect((await backend.glob("*", path)).error).toMatch(/nowhere/);
  });

  it("loads files up and down, each with an answer of its own", async () => {
    const uploaded = await backend.uploadFiles([
      [at("up/a.bin"), new Uint8Array([1, 2])],
      ["/etc/a.bin", new Uint8Array([1])],
      [at("deep"), new Uint8Array([1])],
    ]);
    expect(uploaded.map(({ error }) => error)).toEqual([null, "permission_denied", "is_directory"]);
    const downloaded = await backend.downloadFiles([at("up/a.bin"), at("nowhere"), at("deep")]);
    expect(downloaded.map(({ error }) => error)).toEqual([null, "file_not_found", "is_directory"]);
    expect(Buffer.from(downloaded[0]?.content ?? [])).toEqual(Buffer.from([1, 2]));
  });

  it("keeps what deepagents puts aside by itself", async () => {
    const path = "/large_tool_results/call_1.txt";
    expect(await backend.write(path, "a long result\n")).toEqual({ path, filesUpdate: null });
    expect(await backend.read(path)).toMatchObject({ content: "a long result" });
    expect((await backend.grep("long", "/large_tool_results")).matches).toHaveLength(1);
  });
});

describe("a back end over a session", () => {
  it("goes by the session's rules, under the names of the tools that do the same", async () => {
    const asked: string[] = [];
    const guarded = new AtollBackend(
      openToolSession(sandbox.restricted(), {
        rules: [
          { tool: "execute_shell", input: { command: "curl *" }, permission: "deny" },
          { tool: "*", input: { file: "*.pem" }, permission: "deny" },
          { tool: "file_delete", permission: "ask" },
          { tool: "file_find", permission: "deny" },
        ],
        approve: async ({ tool }) => {
          asked.push(tool);
          return { decision: "deny", reason: "it is needed" };
        },
      }),
    );
    await backend.write(at("key.pem"), "secret");
    const rule = /A rule does not allow/;
    expect(await guarded.execute("curl example.org")).toMatchObject({
      exitCode: 126,
      output: expect.stringMatching(rule),
    });
    expect(await guarded.execute("echo fine")).toMatchObject({ exitCode: 0, output: "fine" });
    for (const answer of [
      guarded.read(at("key.pem")),
      guarded.readRaw(at("key.pem")),
      guarded.write(at("key.pem"), "x"),
      guarded.edit(at("key.pem"), "secret", "x"),
      guarded.glob("*"),
    ])
      expect((await answer).error).toMatch(rule);
    expect(await guarded.uploadFiles([[at("key.pem"), png]])).toMatchObject([{ error: "permission_denied" }]);
    expect(await guarded.downloadFiles([at("key.pem")])).toMatchObject([
      { error: "permission_denied", content: null },
    ]);
    expect((await guarded.delete(at("key.pem"))).error).toMatch(/it is needed/);
    expect(asked).toEqual(["file_delete"]);
    expect(await sandbox.files.readText("key.pem")).toBe("secret");
  });

  it("runs what the user has changed, and nothing where that cannot be done", async () => {
    const changedTo = (input: unknown) =>
      new AtollBackend(
        openToolSession(sandbox.restricted(), {
          rules: [{ tool: "*", permission: "ask" }],
          approve: async () => ({ decision: "allow", input }),
        }),
      );
    expect(await changedTo({ command: "echo changed" }).execute("echo given")).toMatchObject({
      output: "changed",
    });
    expect(await changedTo({ command: "echo x", background: true }).execute("echo given")).toMatchObject({
      exitCode: 126,
      output: expect.stringContaining("background"),
    });
    await backend.write(at("as-is.txt"), "a");
    const edited = { file: at("as-is.txt"), old_str: "a", new_str: "c", replace_all: false };
    expect((await changedTo(edited).edit(at("as-is.txt"), "a", "b")).error).toMatch(/cannot be changed here/);
    expect(await sandbox.files.readText("as-is.txt")).toBe("a");
  });
});
