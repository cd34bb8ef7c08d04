import { parseBeginPatch } from "./begin-patch.ts";
import { misfit, type FilePatch } from "./patch.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

/** Each is looked for in the whole file. */
const MAX_HUNKS = 1000;

/** Reads either form of patch, also when a model has put it into a code block or a here-document. */
export function parsePatch(text: string): FilePatch[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const patches = begin >= 0 ? parseBeginPatch(lines.slice(begin + 1)) : parseUnifiedDiff(dropFence(lines));
  if (patches.length === 0) {
    throw misfit(
      'this is not a patch: it has neither "*** Begin Patch" nor the lines "--- a/file" and "+++ b/file" of a unified diff',
    );
  }
  const hunks = patches.flatMap((patch) => (patch.kind === "add" ? [] : patch.hunks));
  if (hunks.length > MAX_HUNKS)
    throw misfit(`the patch has more than ${MAX_HUNKS} hunks: make several of it`);
  return patches;
}

function dropFence(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (!lines[first]?.startsWith("```")) return lines;
  const last = lines.findLastIndex((line) => line.trimEnd() === "```");
  return lines.slice(first + 1, last > first ? last : undefined);
}
