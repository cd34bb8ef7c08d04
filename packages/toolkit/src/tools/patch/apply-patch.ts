import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";
import { type Change, makeChanges, planChanges } from "./changes.ts";
import { parsePatch } from "./parse.ts";

const input = z.strictObject({
  patch: z.string().min(1).describe('From "*** Begin Patch" to "*** End Patch", or a unified diff'),
});

export const applyPatch = defineTool(import.meta.url, {
  name: "apply_patch",
  input,
  isReadOnly: false,
  async run({ patch }, context) {
    const changes = await planChanges(parsePatch(patch), context);
    await makeChanges(changes, context);
    const data = changes.map((change) => ({ path: change.path, change: nameChange(change) }));
    const lines = changes.map((change) => `${nameChange(change)} ${showPath(change.path)}`);
    return success(lines.join("\n") || "The patch changes nothing.", { data });
  },
});

function nameChange({ before, after }: Change): "added" | "deleted" | "changed" {
  if (!before) return "added";
  return after ? "changed" : "deleted";
}
