import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession();
  await session.sandbox.commands.run("git init -q --bare -b main bare.git; git init -q -b main repo");
});
afterAll(() => session.close());

const call: TestSession["call"] = (...given) => session.call(...given);
const text: TestSession["text"] = (...given) => session.text(...given);
const path = "repo";

describe("the git tools", () => {
  it("take a change from the file to the remote and to another clone", async () => {
    const evil = "a\nb $(touch pwned) -x 文.txt";
    await text("file_write", { file: `repo/${evil}`, content: "一\n" });
    await text("file_write", { file: "repo/kept.txt", content: "1\n" });
    expect((await call("git_status", { path })).data).toMatchObject({
      changes: [{ status: "??" }, { status: "??", path: "kept.txt" }],
    });
    await text("git_commit", { path, message: "only one; touch pwned", files: ["kept.txt"] });
    await text("git_commit", { path, message: "--amend\n\n正文" });
    expect(await text("git_status", { path })).toContain("(nothing has changed)");
    expect((await call("git_log", { path })).data).toMatchObject([
      { subject: "--amend", author: "Atoll" },
      { subject: "only one; touch pwned" },
    ]);
    await session.sandbox.commands.run(["git", "-C", "repo", "remote", "add", "origin", "../bare.git"]);
    expect(await text("git_push", { path })).toContain("main");
    await text("git_clone", { url: "bare.git", path: "clone" });
    expect(await session.sandbox.files.readText(`clone/${evil}`)).toBe("一\n");
    expect(await session.sandbox.files.exists("pwned")).toBe(false);
    expect(await session.sandbox.files.exists("repo/pwned")).toBe(false);
  });

  it("show differences: of files, of what is staged, against a commit", async () => {
    await text("file_write", { file: "repo/kept.txt", content: "2\n" });
    expect(await text("git_diff", { path })).toMatch(/-1\n\+2$/);
    expect(await text("git_diff", { path, staged: true })).toBe("(no difference)");
    await session.sandbox.commands.run("git -C repo add -A");
    expect(await text("git_diff", { path, staged: true, files: ["kept.txt"] })).toMatch(/\+2$/);
    expect(await text("git_diff", { path, revision: "HEAD~1..HEAD" })).toContain("+一");
    expect(await text("git_log", { path, files: ["kept.txt"] })).toMatch(
      /^\S+ \S+ Atoll: only one; touch pwned$/,
    );
  });

  it("say what git says when it refuses", async () => {
    for (const [tool, input, said] of [
      ["git_status", { path: "/tmp" }, /not a git repository/],
      ["git_commit", { path: "clone", message: "empty" }, /nothing to commit/],
      ["git_clone", { url: "bare.git", path: "clone" }, /already exists/],
      ["git_clone", { url: "nowhere.git" }, /does not exist/],
      ["git_push", { path, remote: "nobody" }, /nobody/],
      ["git_log", { path, revision: "no-such" }, /no-such/],
    ] as const) {
      expect(await call(tool, input)).toMatchObject({ isError: true, text: expect.stringMatching(said) });
    }
  });

  it("never overwrite commits of the remote", async () => {
    await text("file_write", { file: "clone/kept.txt", content: "theirs\n" });
    await text("git_commit", { path: "clone", message: "theirs" });
    await text("git_push", { path: "clone" });
    await text("git_commit", { path, message: "ours" });
    expect(await call("git_push", { path })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/rejected/),
    });
  });

  it("name the network policy where a host is out of reach", async () => {
    const output = await call("git_clone", { url: "https://git.example.com/x.git" });
    expect(output).toMatchObject({
      isError: true,
      text: expect.stringContaining("network policy does not allow"),
    });
  });

  it("cut a large difference", async () => {
    await text("file_write", { file: "repo/kept.txt", content: "行\n".repeat(100_000) });
    const output = await call("git_diff", { path });
    expect(output.isError).toBe(false);
    expect(output.text.length).toBeLessThan(11_000);
  });
});
