import type { FileStat } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";

const MAX_SHOWN = 500;

const input = z.strictObject({
  path: z.string().optional().describe("Folder; default the workspace"),
  recursive: z.boolean().optional(),
  show_hidden: z.boolean().optional().describe("Also names that begin with a dot"),
});

export const fileList = defineTool(import.meta.url, {
  name: "file_list",
  input,
  isReadOnly: true,
  async run({ path, recursive = false, show_hidden = false }, { sandbox, signal }) {
    const folder = path ?? sandbox.info.paths.workspace;
    const entries = (await sandbox.files.list(folder, { recursive, signal })).filter(
      (entry) => show_hidden || !isHidden(entry.path, folder),
    );
    const lines = entries.slice(0, MAX_SHOWN).map(describeEntry);
    if (entries.length > MAX_SHOWN) lines.push(`[${entries.length - MAX_SHOWN} more entries]`);
    const data = entries.map(({ path, kind, sizeBytes }) => ({ path, kind, size_bytes: sizeBytes }));
    return success(lines.join("\n") || "(the folder is empty)", { data });
  },
});

function isHidden(path: string, folder: string): boolean {
  const inside = path.startsWith(folder) ? path.slice(folder.length) : path;
  return inside.split("/").some((name) => name.startsWith(".") && name !== "." && name !== "..");
}

function describeEntry(entry: FileStat): string {
  const path = showPath(entry.path);
  if (entry.kind === "folder") return `${path}/`;
  if (entry.kind === "symlink") return `${path} -> ${showPath(entry.linkTarget ?? "?")}`;
  return `${path} (${entry.sizeBytes} bytes)`;
}
