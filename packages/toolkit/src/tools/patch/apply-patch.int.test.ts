import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

const write = (path: string, text: string, mode = 0o644) => session.sandbox.files.write(path, text, { mode });
const read = (path: string) => session.sandbox.files.readText(path);

describe("apply_patch", () => {
  it("adds, changes, moves and deletes files in one step", async () => {
    await write("p/a.py", "x = 1\ny = 2\n", 0o755);
    await write("p/old.txt", "bye\n");
    await write("p/from.txt", "one\ntwo\n");
    const patch = [
      "*** Begin Patch",
      "*** Update File: p/a.py",
      "@@",
      " x = 1",
      "-y = 2",
      "+y = 3  # 改",
      "*** Add File: p/new/文件 'n' $(id).txt",
      "+你好",
      "*** Delete File: p/old.txt",
      "*** Update File: p/from.txt",
      "*** Move to: p/to.txt",
      "@@",
      "-one",
      "+1",
      "*** End Patch",
    ].join("\n");
    expect((await session.text("apply_patch", { patch })).split("\n").toSorted()).toEqual([
      "added /workspace/p/new/文件 'n' $(id).txt",
      "added /workspace/p/to.txt",
      "changed /workspace/p/a.py",
      "deleted /workspace/p/from.txt",
      "deleted /workspace/p/old.txt",
    ]);
    expect(await read("p/a.py")).toBe("x = 1\ny = 3  # 改\n");
    expect((await session.sandbox.files.stat("p/a.py")).mode & 0o777).toBe(0o755);
    expect(await read("p/new/文件 'n' $(id).txt")).toBe("你好\n");
    expect(await read("p/to.txt")).toBe("1\ntwo\n");
    expect(await session.sandbox.files.exists("p/old.txt")).toBe(false);
    expect(await session.sandbox.files.exists("p/from.txt")).toBe(false);
  });

  it("changes nothing when one of its files does not fit", async () => {
    await write("q/a.txt", "a\n");
    await write("q/b.txt", "b\n");
    const section = (name: string, from: string) => [
      `*** Update File: q/${name}`,
      "@@",
      `-${from}`,
      "+changed",
    ];
    for (const other of [
      section("b.txt", "c"),
      ["*** Delete File: q/nowhere.txt"],
      ["*** Add File: q/b.txt", "+x"],
      ["*** Update File: q/b.txt", "*** Move to: q/a.txt"],
    ]) {
      const patch = ["*** Begin Patch", ...section("a.txt", "a"), ...other, "*** End Patch"].join("\n");
      expect(await session.call("apply_patch", { patch })).toMatchObject({
        isError: true,
        errorCode: "invalid_argument",
        text: expect.stringMatching(/q\/(a|b|nowhere)\.txt/),
      });
      expect(await read("q/a.txt")).toBe("a\n");
      expect(await read("q/b.txt")).toBe("b\n");
    }
  });

  it("puts back what it wrote when a later file cannot be written", async () => {
    await write("r/a.txt", "a\n", 0o640);
    const patch = [
      "*** Begin Patch",
      "*** Add File: r/added.txt",
      "+x",
      "*** Update File: r/a.txt",
      "@@",
      "-a",
      "+changed",
      "*** Add File: /usr/not-ours.txt",
      "+x",
      "*** End Patch",
    ].join("\n");
    expect(await session.call("apply_patch", { patch })).toMatchObject({ isError: true });
    expect(await read("r/a.txt")).toBe("a\n");
    expect((await session.sandbox.files.stat("r/a.txt")).mode & 0o777).toBe(0o640);
    expect(await session.sandbox.files.exists("r/added.txt")).toBe(false);
  });

  it("changes the file that a link leads to, and one file twice", async () => {
    await write("s/real.txt", "a\nb\n");
    await session.sandbox.commands.run("ln -s real.txt s/link.txt");
    const patch = [
      "*** Begin Patch",
      "*** Update File: s/link.txt",
      "@@",
      "-a",
      "+A",
      "*** Update File: s/link.txt",
      "@@",
      "-b",
      "+B",
      "*** End Patch",
    ].join("\n");
    await session.text("apply_patch", { patch });
    expect(await read("s/real.txt")).toBe("A\nB\n");
    expect((await session.sandbox.files.stat("s/link.txt")).kind).toBe("symlink");
  });

  it("refuses a file that is not UTF-8 text, rather than spoil it", async () => {
    await session.sandbox.files.write("t.bin", new Uint8Array([97, 10, 255, 10]));
    const patch = "--- a/t.bin\n+++ b/t.bin\n@@ -1 +1 @@\n-a\n+b\n";
    expect(await session.call("apply_patch", { patch })).toMatchObject({
      isError: true,
      text: expect.stringContaining("not UTF-8"),
    });
    expect([...(await session.sandbox.files.read("t.bin"))]).toEqual([97, 10, 255, 10]);
  });

  it("makes of git's diffs what git makes of them, whatever changed", async () => {
    const random = seeded(20_261_115);
    const pairs = Array.from({ length: 60 }, () => {
      const lines = Array.from(
        { length: Math.floor(random() * 40) },
        () => `line ${Math.floor(random() * 6)}`,
      );
      const changed = lines.flatMap((line) => {
        const dice = random();
        if (dice < 0.1) return [];
        if (dice < 0.2) return [line, `new ${Math.floor(random() * 9)}`];
        return dice < 0.3 ? ["", "-- changed"] : [line];
      });
      const finish = (all: string[]) => all.join("\n") + (all.length > 0 && random() < 0.7 ? "\n" : "");
      return [finish(lines), finish(changed)] as const;
    });
    await session.sandbox.commands.run("git init -q g && git -C g config core.autocrlf false");
    for (const [index, [before]] of pairs.entries()) await write(`g/${index}.txt`, before);
    await session.sandbox.commands.run("git -C g add -A");
    for (const [index, [, after]] of pairs.entries()) await write(`g/${index}.txt`, after);
    const { stdout: patch } = await session.sandbox.commands.run(
      "git diff -U1 > ../diff.txt; cat ../diff.txt",
      {
        cwd: "g",
      },
    );
    await session.sandbox.commands.run("git -C g checkout -q -- .");
    expect(patch.length).toBeGreaterThan(5000);
    await session.text("apply_patch", { patch: patch.replaceAll(/ ([ab])\//g, " $1/g/") });
    for (const [index, [, after]] of pairs.entries()) expect(await read(`g/${index}.txt`)).toBe(after);
  });

  it("does nothing after a stop", async () => {
    await write("u.txt", "a\n");
    const patch = "--- a/u.txt\n+++ b/u.txt\n@@ -1 +1 @@\n-a\n+b\n";
    const signal = AbortSignal.abort();
    expect(await session.call("apply_patch", { patch }, { signal })).toMatchObject({ errorCode: "aborted" });
    expect(await read("u.txt")).toBe("a\n");
  });
});

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
