import { unquotePath } from "./diff-path.ts";
import { type FilePatch, type Hunk, type HunkLine, misfit, readHunkLine } from "./patch.ts";

const HUNK_HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** What stands above the hunks of one file. */
interface Head {
  from?: string | undefined;
  to?: string | undefined;
  renameFrom?: string;
  renameTo?: string;
  mode?: number;
  isNew?: boolean;
  isDeleted?: boolean;
}

/**
 * Reads what `diff -u` and `git diff` write, and what models write: wrong line counts, bare empty lines and text between
 * files are accepted. The npm package `diff` refuses those, which is why it is not used here.
 */
export function parseUnifiedDiff(lines: readonly string[]): FilePatch[] {
  const patches: FilePatch[] = [];
  let head: Head | undefined;
  let hunks: Hunk[] = [];
  const endFile = () => {
    if (head) patches.push(...toPatch(head, hunks));
    [head, hunks] = [undefined, []];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    if (line.startsWith("diff --git ")) {
      endFile();
      head = {};
    } else if (isFileHeader(lines, at)) {
      if (hunks.length > 0 || head?.to !== undefined) endFile();
      head = { ...head, from: readPath(line), to: readPath(lines[at + 1] ?? "") };
      at += 1;
    } else if (head && HUNK_HEADER.test(line)) {
      const [hunk, next] = readHunk(lines, at);
      hunks.push(hunk);
      at = next;
      continue;
    } else if (/^(GIT binary patch|Binary files .* differ)$/.test(line)) {
      throw misfit("the patch has a binary file: only text can be patched");
    } else if (head && hunks.length === 0) {
      readExtended(head, line);
    }
    at += 1;
  }
  endFile();
  return patches;
}

function readHunk(lines: readonly string[], start: number): [Hunk, number] {
  const [, oldLine = "0", oldCount = "1", , newCount = "1"] = HUNK_HEADER.exec(lines[start] ?? "") ?? [];
  let oldLeft = Number(oldCount);
  let newLeft = Number(newCount);
  const read: (HunkLine & { isBare: boolean })[] = [];
  const bareEnds = { old: false, new: false };
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("\\")) {
      const { kind } = read.at(-1) ?? { kind: "context" };
      if (kind !== "added") bareEnds.old = true;
      if (kind !== "removed") bareEnds.new = true;
      continue;
    }
    // A removed "-- x" above an added "++ y" looks like the head of a file: the counts tell.
    if (isFileHeader(lines, at) && !(oldLeft === 1 && newLeft === 1)) break;
    // Where a mail's signature begins.
    if (line === "-- " && oldLeft <= 0 && newLeft <= 0) break;
    const found = line === "" ? { kind: "context" as const, text: "" } : readHunkLine(line);
    if (!found || (line === "" && oldLeft <= 0)) break;
    read.push({ ...found, isBare: line === "" });
    if (found.kind !== "added") oldLeft -= 1;
    if (found.kind !== "removed") newLeft -= 1;
  }
  // Where the counts are too high, blank lines at the end may be the text after the patch.
  const last = oldLeft === 0 && newLeft === 0 ? read.length : read.findLastIndex(({ isBare }) => !isBare) + 1;
  const hunk: Hunk = {
    anchors: [],
    // A hunk without old lines names the line above it.
    line: Number(oldLine) + (Number(oldCount) === 0 ? 1 : 0),
    lines: read.slice(0, last).map(({ kind, text }) => ({ kind, text })),
    isAtEnd: bareEnds.old || bareEnds.new,
    ...(bareEnds.old || bareEnds.new ? { endsInNewline: !bareEnds.new } : {}),
  };
  return [hunk, at];
}

function toPatch(head: Head, hunks: Hunk[]): FilePatch[] {
  const [from, to] = stripPrefixes(head.from, head.to);
  const path = head.renameFrom ?? from ?? to;
  if (path === undefined) return [];
  const mode = head.mode === undefined ? {} : { mode: head.mode };
  if (head.isNew || (from === undefined && head.from !== undefined)) {
    const added = hunks.flatMap(({ lines }) => lines);
    if (added.some(({ kind }) => kind !== "added"))
      throw misfit(`${path} is new, but the patch has old lines of it`);
    const endsInNewline = hunks.at(-1)?.endsInNewline ?? true;
    return [{ kind: "add", path: to ?? path, lines: added.map(({ text }) => text), endsInNewline, ...mode }];
  }
  if (head.isDeleted || (to === undefined && head.to !== undefined)) return [{ kind: "delete", path, hunks }];
  const target = head.renameTo ?? to ?? path;
  if (hunks.length === 0 && target === path && head.mode === undefined) return [];
  return [{ kind: "update", path, hunks, ...(target === path ? {} : { moveTo: target }), ...mode }];
}

/** Undefined for `/dev/null`. Git's `a/` and `b/` go where both have them. */
function stripPrefixes(from: string | undefined, to: string | undefined): (string | undefined)[] {
  const paths = [from, to].map((path) => (path === "/dev/null" ? undefined : path));
  const isGit = paths.every(
    (path, index) => path === undefined || path.startsWith(index === 0 ? "a/" : "b/"),
  );
  return isGit ? paths.map((path) => path?.slice(2)) : paths;
}

function isFileHeader(lines: readonly string[], at: number): boolean {
  return (
    (lines[at]?.startsWith("--- ") ?? false) &&
    (lines[at + 1]?.startsWith("+++ ") ?? false) &&
    HUNK_HEADER.test(lines[at + 2] ?? "")
  );
}

function readPath(line: string): string {
  return unquotePath(line.slice(4).replace(/\t.*/s, "").trimEnd());
}

function readExtended(head: Head, line: string): void {
  const mode = /^(?:new file mode|new mode) \d*(\d{3})$/.exec(line)?.[1];
  if (mode !== undefined) head.mode = Number.parseInt(mode, 8);
  if (line.startsWith("new file mode")) head.isNew = true;
  if (line.startsWith("deleted file mode")) head.isDeleted = true;
  if (line.startsWith("rename from ")) head.renameFrom = unquotePath(line.slice("rename from ".length));
  if (line.startsWith("rename to ")) head.renameTo = unquotePath(line.slice("rename to ".length));
}
