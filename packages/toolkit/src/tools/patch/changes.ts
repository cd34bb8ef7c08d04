import { AtollError } from "@atoll/sandbox";
import type { ToolContext } from "../../tool.ts";
import { readTextFile } from "../files/text-file.ts";
import { resolvePath, showPath } from "../paths.ts";
import { applyHunks } from "./apply-hunks.ts";
import { type FilePatch, misfit } from "./patch.ts";

/** A file as it is and as it shall be; undefined where there is none. */
export interface Change {
  readonly path: string;
  /** Where the path leads to, if it is a link: that is what is written. */
  readonly realPath: string;
  readonly before: Version | undefined;
  after: Version | undefined;
}

interface Version {
  readonly text: string;
  readonly mode?: number;
}

/** Works out what every file will be, and touches none. */
export async function planChanges(patches: readonly FilePatch[], context: ToolContext): Promise<Change[]> {
  const changes = new Map<string, Change>();
  const look = async (given: string): Promise<Change> => {
    const path = resolvePath(context.sandbox, given);
    const known = changes.get(path) ?? (await readVersion(path, context));
    changes.set(path, known);
    return known;
  };
  for (const patch of patches) {
    const change = await look(patch.path);
    const shown = showPath(change.path);
    if (patch.kind === "add") {
      if (change.after) throw misfit(`${shown} is there already: update it, or delete it first`);
      const text = patch.lines.join("\n") + (patch.endsInNewline && patch.lines.length > 0 ? "\n" : "");
      change.after = { text, mode: patch.mode };
      continue;
    }
    if (!change.after) throw misfit(`there is no file ${shown} to ${patch.kind}`);
    const { text, mode } = change.after;
    const newText = applyHunks(text, patch.hunks, patch.path);
    if (patch.kind === "delete") {
      change.after = undefined;
      continue;
    }
    const newMode = patch.mode ?? mode;
    const version = { text: newText, mode: newMode };
    const target = patch.moveTo === undefined ? change : await look(patch.moveTo);
    if (target !== change) {
      if (target.after) throw misfit(`${showPath(target.path)} is there already: nothing can be moved to it`);
      change.after = undefined;
    }
    target.after = version;
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

/** All of them, or none: what was written before a failure or a stop is put back. */
export async function makeChanges(
  changes: readonly Change[],
  { sandbox, signal }: ToolContext,
): Promise<void> {
  const begun: Change[] = [];
  const put = async (
    { path, realPath }: Change,
    version: Version | undefined,
    options: { signal?: AbortSignal },
  ) => {
    if (!version) return sandbox.files.remove(path, options);
    const mode = version.mode === undefined ? {} : { mode: version.mode };
    await sandbox.files.write(realPath, version.text, { ...mode, ...options });
  };
  try {
    for (const change of changes.toSorted((one, other) => Number(!one.after) - Number(!other.after))) {
      begun.push(change);
      await put(change, change.after, { signal });
    }
  } catch (error) {
    for (const change of begun.toReversed()) await put(change, change.before, {}).catch(ignoreAtollError);
    throw error;
  }
}

async function readVersion(path: string, context: ToolContext): Promise<Change> {
  try {
    const before = await readTextFile(path, context);
    return { path, realPath: before.path, before, after: before };
  } catch (error) {
    if (!(error instanceof AtollError) || error.code !== "not_found") throw error;
    return { path, realPath: path, before: undefined, after: undefined };
  }
}

/** The first failure is the one to tell. */
function ignoreAtollError(error: unknown): void {
  if (!(error instanceof AtollError)) throw error;
}
