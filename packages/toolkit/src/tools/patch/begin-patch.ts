import { type FilePatch, type Hunk, type HunkLine, misfit, readHunkLine } from "./patch.ts";

const FILE_HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;
const MOVE_HEADER = /^\*\*\* Move to: (.+)$/;
const LINE_NUMBERS = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$/;

/** The lines after `*** Begin Patch`. */
export function parseBeginPatch(lines: readonly string[]): FilePatch[] {
  const end = lines.findIndex((line) => line.trim() === "*** End Patch");
  if (end < 0) throw misfit('the patch has no line "*** End Patch": it seems to be cut off');
  const patches: FilePatch[] = [];
  for (let at = 0; at < end;) {
    const line = lines[at] ?? "";
    const found = FILE_HEADER.exec(line.trimEnd());
    if (!found) {
      if (line.trim() !== "") throw misfit(`line ${at + 2} of the patch is outside of a file: ${line}`);
      at += 1;
      continue;
    }
    const next = lines.findIndex(
      (other, index) => index > at && (index === end || FILE_HEADER.test(other.trimEnd())),
    );
    patches.push(readSection(found[1] ?? "", (found[2] ?? "").trim(), lines.slice(at + 1, next)));
    at = next;
  }
  return patches;
}

function readSection(kind: string, path: string, body: readonly string[]): FilePatch {
  if (kind === "Delete") {
    if (body.some((line) => line.trim() !== "")) throw misfit(`"Delete File: ${path}" takes no lines`);
    return { kind: "delete", path, hunks: [] };
  }
  if (kind === "Add") return { kind: "add", path, lines: readAdded(path, body), endsInNewline: true };
  const moveTo = MOVE_HEADER.exec(body[0]?.trimEnd() ?? "")?.[1]?.trim();
  const hunks = readHunks(path, moveTo === undefined ? body : body.slice(1));
  if (hunks.length === 0 && moveTo === undefined) throw misfit(`"Update File: ${path}" changes nothing`);
  return { kind: "update", path, hunks, moveTo };
}

function readAdded(path: string, body: readonly string[]): string[] {
  return dropBlankEnd(body).map((line) => {
    if (line.startsWith("+")) return line.slice(1);
    throw misfit(`"Add File: ${path}": every line begins with +, this one does not: ${line}`);
  });
}

function readHunks(path: string, body: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let place: { line?: number } = {};
  let raw: string[] = [];
  let isAtEnd = false;
  const endHunk = () => {
    const lines = dropBlankEnd(raw).map((line) => readLine(path, line));
    if (lines.length > 0) {
      hunks.push({ anchors, ...place, lines, isAtEnd });
      [anchors, place] = [[], {}];
    }
    [raw, isAtEnd] = [[], false];
  };
  for (const line of body) {
    if (line.startsWith("@@")) {
      endHunk();
      const rest = line.slice(2).trim();
      const counted = LINE_NUMBERS.exec(rest);
      if (counted) place = { line: Number(counted[1]) };
      const anchor = counted ? (counted[2] ?? "") : rest.replace(/ ?@@$/, "");
      if (anchor.trim() !== "") anchors.push(anchor);
    } else if (line.trimEnd() === "*** End of File") {
      isAtEnd = true;
      endHunk();
    } else {
      raw.push(line);
    }
  }
  endHunk();
  return hunks;
}

function readLine(path: string, line: string): HunkLine {
  const read = line === "" ? { kind: "context" as const, text: "" } : readHunkLine(line);
  if (read) return read;
  throw misfit(`"Update File: ${path}": a line begins with a space, - or +, this one does not: ${line}`);
}

/** Blank lines between the parts of a patch are no part of it. */
function dropBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
