import { AtollError } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./parse.ts";

/** The text after the patch's only file is patched. */
function apply(text: string, patch: string): string {
  const [file, ...others] = parsePatch(patch);
  if (!file || file.kind !== "update" || others.length > 0) throw new Error("not one update");
  return applyHunks(text, file.hunks, file.path);
}

function begin(...lines: string[]): string {
  return ["*** Begin Patch", "*** Update File: a.py", ...lines, "*** End Patch"].join("\n");
}

function diff(...lines: string[]): string {
  return ["--- a/a.py", "+++ b/a.py", ...lines, ""].join("\n");
}

const file = "def f():\n    return 1\n\n\ndef g():\n    return 1\n";

describe("a patch from *** Begin Patch", () => {
  it("changes the lines it shows, and keeps the others", () => {
    expect(apply(file, begin("@@", " def g():", "-    return 1", "+    return 2"))).toBe(
      "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    );
  });

  it("may name a line above to say which place is meant", () => {
    const patch = begin("@@ def g():", "-    return 1", "+    return 2");
    expect(apply(file, patch)).toBe("def f():\n    return 1\n\n\ndef g():\n    return 2\n");
    expect(() => apply(file, begin("@@", "-    return 1", "+    return 2"))).toThrow(/fits at lines 2, 6/);
    expect(() => apply(file, begin("@@ def h():", "-    return 1"))).toThrow(/no line .* is "def h\(\):"/);
  });

  it("may have several hunks, the second one below the first", () => {
    const patch = begin(
      "@@ def f():",
      "-    return 1",
      "+    return 'one'",
      "@@",
      "-    return 1",
      "+    return 2",
    );
    expect(apply(file, patch)).toBe("def f():\n    return 'one'\n\n\ndef g():\n    return 2\n");
    const reversed = begin("@@", " def g():", "+    pass", "@@", " def f():", "+    pass");
    expect(() => apply(file, reversed)).toThrow(/Hunk 2 .* at line 1, above line 6/);
  });

  it("adds where it shows no old line: below the line named, or at the end", () => {
    expect(apply("a\nb\n", begin("@@ a", "+new"))).toBe("a\nnew\nb\n");
    expect(apply("a\nb\n", begin("@@", "+new"))).toBe("a\nb\nnew\n");
    expect(apply("a\nb", begin("+new"))).toBe("a\nb\nnew");
    expect(apply("", begin("+new"))).toBe("new\n");
  });

  it("can insist on the end of the file", () => {
    expect(apply("x\ny\nx\n", begin("@@", "-x", "+z", "*** End of File"))).toBe("x\ny\nz\n");
    expect(() => apply("x\ny\n", begin("@@", "-x", "+z", "*** End of File"))).toThrow(
      /not at the file's end/,
    );
  });

  it("takes a blank line that has lost its space, and blank lines between its parts", () => {
    const patch = begin("@@", "     return 1", "", "", " def g():", "+    # here", "", "");
    expect(apply(file, patch)).toBe("def f():\n    return 1\n\n\ndef g():\n    # here\n    return 1\n");
  });

  it("fits lines that differ in blanks only, and leaves these as they are in the file", () => {
    expect(apply("if a:  \n\tb\n", begin("@@", " if a:", "-    b", "+\tc"))).toBe("if a:  \n\tc\n");
  });

  it("takes the numbers of a unified diff as a hint", () => {
    expect(apply(file, begin("@@ -6,1 +6,1 @@", "-    return 1", "+    return 2"))).toContain(
      "g():\n    return 2",
    );
  });

  it("shows where it did not fit", () => {
    const patch = begin("@@", " def g():", "-    return 7", "+    return 2");
    expect(() => apply(file, patch)).toThrow(
      "The hunk of a.py does not fit. These lines are not in the file:\n  def g():\n      return 7\nMost like them are lines 5 to 6:\n  5\tdef g():\n! 6\t    return 1",
    );
  });

  it("is refused when it is cut off or has a line that does not belong to a patch", () => {
    expect(() => parsePatch("*** Begin Patch\n*** Update File: a\n@@\n-x")).toThrow(/cut off/);
    expect(() => parsePatch(begin("@@", "oops"))).toThrow(/begins with a space, - or \+.*: oops/);
    expect(() => parsePatch("*** Begin Patch\nhello\n*** End Patch")).toThrow(/line 2 .* outside of a file/);
    expect(() => parsePatch("*** Begin Patch\n*** Add File: a\nx\n*** End Patch")).toThrow(/begins with \+/);
    expect(() => parsePatch("*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch")).toThrow(
      /takes no lines/,
    );
    expect(() => parsePatch(begin())).toThrow(/changes nothing/);
    expect(() => parsePatch("*** Begin Patch\n*** End Patch")).toThrow(/not a patch/);
    expect(() => parsePatch("please change a to b")).toThrow(/not a patch/);
  });

  it("may add, delete and move, and be wrapped in what models wrap it in", () => {
    const patch = [
      "```",
      "*** Begin Patch",
      "*** Add File: 新しい/文件 1.txt",
      "+一",
      "+",
      "*** Delete File: old.txt",
      "",
      "*** Update File: a.py",
      "*** Move to: b.py",
      "*** End Patch",
      "```",
    ].join("\r\n");
    expect(parsePatch(patch)).toEqual([
      { kind: "add", path: "新しい/文件 1.txt", lines: ["一", ""], endsInNewline: true },
      { kind: "delete", path: "old.txt", hunks: [] },
      { kind: "update", path: "a.py", moveTo: "b.py", hunks: [] },
    ]);
  });
});

describe("a unified diff", () => {
  it("changes the place nearest to its numbers, also when these are a little off", () => {
    expect(apply(file, diff("@@ -6 +6 @@", "-    return 1", "+    return 2"))).toContain(
      "g():\n    return 2",
    );
    expect(apply(file, diff("@@ -1 +1 @@", "-    return 1", "+    return 2"))).toContain(
      "f():\n    return 2",
    );
    const shifted = diff("@@ -5,2 +5,2 @@", " def g():", "-    return 1", "+    return 2");
    expect(apply(`#\n#\n#\n${file}`, shifted)).toBe(`#\n#\n#\n${file.slice(0, -2)}2\n`);
  });

  it("takes wrong counts, which models write", () => {
    const patch = diff("@@ -1,9 +1,9 @@", " def f():", "-    return 1", "+    return 2", "");
    expect(apply(file, patch)).toContain("f():\n    return 2\n\n\ndef g");
    const low = diff("@@ -1,1 +1,1 @@", " def f():", "-    return 1", "+    return 2");
    expect(apply(file, low)).toContain("f():\n    return 2");
  });

  it("adds without old lines below the line that it names", () => {
    expect(apply("a\nb\n", diff("@@ -1,0 +2 @@", "+new"))).toBe("a\nnew\nb\n");
    expect(apply("a\nb\n", diff("@@ -0,0 +1 @@", "+new"))).toBe("new\na\nb\n");
  });

  it("knows when the last line has no newline", () => {
    const mark = "\\ No newline at end of file";
    expect(apply("a\nb", diff("@@ -2 +2 @@", "-b", mark, "+c"))).toBe("a\nc\n");
    expect(apply("a\nb\n", diff("@@ -2 +2 @@", "-b", "+c", mark))).toBe("a\nc");
    expect(apply("a\nb", diff("@@ -1,2 +1,2 @@", "-a", "+x", " b", mark))).toBe("x\nb");
    expect(apply("a\nb", diff("@@ -1 +1 @@", "-a", "+x"))).toBe("x\nb");
  });

  it("keeps Windows line ends and a mark at the beginning", () => {
    expect(apply("\ufeffa\r\nb\r\n", diff("@@ -2 +2 @@", "-b", "+c"))).toBe("\ufeffa\r\nc\r\n");
  });

  it("reads lines that look like the head of a file as what the counts say", () => {
    const patch = diff("@@ -1,2 +1,2 @@", " x", "--- y", "+++ z", "@@ -4 +4 @@", "-w", "+v");
    expect(apply("x\n-- y\nq\nw\n", patch)).toBe("x\n++ z\nq\nv\n");
  });

  it("says what git says: new, deleted, renamed, mode, and names in quotes", () => {
    const patch = [
      "diff --git a/run.sh b/run.sh",
      "new file mode 100755",
      "index 0000000..1",
      "--- /dev/null",
      "+++ b/run.sh",
      "@@ -0,0 +1,2 @@",
      "+#!/bin/sh",
      "+echo",
      "diff --git a/gone.txt b/gone.txt",
      "deleted file mode 100644",
      "--- a/gone.txt",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-bye",
      "diff --git a/old name b/new name",
      "similarity index 100%",
      "rename from old name",
      "rename to new name",
      'diff --git "a/\\346\\226\\207.txt" "b/\\346\\226\\207.txt"',
      '--- "a/\\346\\226\\207.txt"',
      '+++ "b/\\346\\226\\207.txt"\t2026-01-01',
      "@@ -1 +1 @@",
      "-a",
      "+b",
      "-- ",
      "2.39",
    ].join("\n");
    const text = (kind: string, line: string) => ({ kind, text: line });
    expect(parsePatch(patch)).toMatchObject([
      { kind: "add", path: "run.sh", lines: ["#!/bin/sh", "echo"], mode: 0o755, endsInNewline: true },
      { kind: "delete", path: "gone.txt", hunks: [{ lines: [text("removed", "bye")] }] },
      { kind: "update", path: "old name", moveTo: "new name", hunks: [] },
      { kind: "update", path: "文.txt", hunks: [{ lines: [text("removed", "a"), text("added", "b")] }] },
    ]);
  });

  it("takes paths without git's prefixes as they are", () => {
    const patch = "--- /etc/x.conf\t2026\n+++ /etc/x.conf\t2026\n@@ -1 +1 @@\n-a\n+b\n";
    expect(parsePatch(patch)).toMatchObject([{ path: "/etc/x.conf" }]);
  });

  it("is refused for binary files", () => {
    expect(() => parsePatch("diff --git a/x b/x\nBinary files a/x and b/x differ\n")).toThrow(/binary/);
  });
});

describe("a patch of any lines", () => {
  it("is read or refused, and never causes a defect", () => {
    const lines = [
      "*** Begin Patch",
      "*** End Patch",
      "*** Update File: a",
      "*** Add File: b",
      "*** Delete File: c",
      "*** Move to: d",
      "*** End of File",
      "@@",
      "@@ def f():",
      "@@ -1,2 +1 @@",
      "@@ -0,0 +1 @@",
      "--- a/x",
      "+++ b/x",
      "+++ /dev/null",
      "--- /dev/null",
      "diff --git a/x b/x",
      "rename from x",
      "rename to y",
      "new file mode 100644",
      "\\ No newline at end of file",
      "-",
      "+",
      " ",
      "",
      "-a",
      "+b",
      " a",
      "text",
      "```",
    ];
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < 5000; round += 1) {
      const patch = Array.from({ length: random(12) + 1 }, () => lines[random(lines.length)]).join("\n");
      try {
        for (const one of parsePatch(round % 2 === 0 ? patch : `*** Begin Patch\n${patch}\n*** End Patch`)) {
          if (one.kind !== "add") applyHunks("a\na\n\nb", one.hunks, one.path);
        }
        outcomes.read += 1;
      } catch (error) {
        if (!(error instanceof AtollError)) throw error;
        outcomes.refused += 1;
      }
    }
    expect(outcomes.read).toBeGreaterThan(50);
    expect(outcomes.refused).toBeGreaterThan(1000);
  });
});
