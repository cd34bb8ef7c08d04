import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { GrepOptions } from "../../contract/files.ts";
import { evaluate } from "../run-code.ts";
import { expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeSearch({ share }: Suite): void {
  describe("glob and grep", () => {
    const sandbox = share();
    const files = () => sandbox().files;
    /** Results may be absolute or relative to where the search began. */
    const below = (path: string, start = "."): string => {
      const { workspace } = sandbox().info.paths;
      return posix.relative(workspace, posix.resolve(workspace, start, path));
    };
    const glob = async (pattern: string, cwd?: string) =>
      (await files().glob(pattern, cwd === undefined ? {} : { cwd }))
        .map((path) => below(path, cwd))
        .toSorted();
    const grep = async (pattern: string, options?: GrepOptions) =>
      (await files().grep(pattern, options)).matches
        .map((match) => `${below(match.path, options?.path)}:${match.line}:${match.text}`)
        .toSorted();

    beforeAll(async () => {
      await files().write("top.py", "import os\nTODO = 1\n");
      await files().write("src/main.py", "def main():\n    # TODO: more\n    pass\n");
      await files().write("src/deep/util.py", "x = 1  # todo later\n");
      await files().write("src/notes.md", "Grüße\nTODO\n\nlast line without end TODO");
      await files().write("src/data.bin", Uint8Array.from([0, 255, 0, 84, 79, 68, 79, 0]));
    });

    it.each([
      ["*.py", ["top.py"]],
      ["**/*.py", ["src/deep/util.py", "src/main.py", "top.py"]],
      ["src/*", ["src/data.bin", "src/deep", "src/main.py", "src/notes.md"]],
      ["src/**/ut?l.py", ["src/deep/util.py"]],
      ["src/[mn]*", ["src/main.py", "src/notes.md"]],
      ["*.nothing", []],
    ])("find files by the pattern %s", async (pattern, expected) => {
      expect(await glob(pattern)).toEqual(expected);
    });

    it("find files below a folder", async () => {
      expect(await glob("*.py", "src")).toEqual(["src/main.py"]);
      expect(await glob("**/*.py", `${sandbox().info.paths.workspace}/src`)).toEqual([
        "src/deep/util.py",
        "src/main.py",
      ]);
      await expectRefusals("not_found", [files().glob("*", { cwd: "missing" })]);
      await expectRefusals("too_many_entries", [files().glob("**/*", { maxEntries: 2 })]);
      await expectRefusals("invalid_argument", [files().glob("")]);
    });

    it("find lines", async () => {
      expect(await grep("TODO")).toEqual([
        "src/main.py:2:    # TODO: more",
        "src/notes.md:2:TODO",
        "src/notes.md:4:last line without end TODO",
        "top.py:2:TODO = 1",
      ]);
    });

    it("find lines by regular expression", async () => {
      expect(await grep("^Gr.{2}e$")).toEqual(["src/notes.md:1:Grüße"]);
      expect(await grep(String.raw`\bdef\s+\w+\(`)).toEqual(["src/main.py:1:def main():"]);
    });

    it("find lines whatever the case", async () => {
      expect(await grep("todo", { ignoreCase: true, glob: "*.py" })).toEqual([
        "src/deep/util.py:1:x = 1  # todo later",
        "src/main.py:2:    # TODO: more",
        "top.py:2:TODO = 1",
      ]);
    });

    it("find lines only where asked", async () => {
      expect(await grep("TODO", { path: "src", glob: "*.md" })).toHaveLength(2);
      expect(await grep("x", { glob: "src/deep/*.py" })).toEqual(["src/deep/util.py:1:x = 1  # todo later"]);
      expect(await grep("TODO", { path: "top.py" })).toHaveLength(1);
      await expect(files().grep("TODO", { path: "missing" })).rejects.toMatchObject(refusal("not_found"));
    });

    it("show the lines around a match", async () => {
      const { matches } = await files().grep("TODO: more", { context: 1 });
      expect(matches).toMatchObject([{ line: 2, before: ["def main():"], after: ["    pass"] }]);
    });

    it("stop at the number of matches asked for, and say so", async () => {
      expect(await files().grep("TODO", { maxMatches: 2 })).toMatchObject({
        matches: { length: 2 },
        truncated: true,
      });
      expect(await files().grep("TODO", { maxMatches: 4 })).toMatchObject({
        matches: { length: 4 },
        truncated: false,
      });
    });

    it("refuse an expression that is none", async () => {
      await expectRefusals("invalid_argument", [files().grep("(unclosed"), files().grep("*")]);
    });

    it("stop an expression that would take for ever", async () => {
      await files().write("slow/line", `${"a".repeat(60)}b`);
      // An engine that does not backtrack may as well answer that there is no match.
      const answer = await files()
        .grep("^(a+)+$", { path: "slow", timeoutMs: 500 })
        .catch((error: unknown) => error);
      const isStopped = expect.objectContaining(refusal("timeout"));
      expect([isStopped, { matches: [], truncated: false }]).toContainEqual(answer);
      expect(await evaluate(sandbox(), "1 + 1")).toBe("2");
      expect(await grep("TODO", { path: "top.py" })).toHaveLength(1);
    });
  });
}
