import { readFileSync } from "node:fs";
import type { Tool } from "./tool.ts";

/**
 * A tool whose text for the model lies beside its module, named after the tool.
 *
 * @example
 * // Reads ./file-delete.md.
 * export const fileDelete = defineTool(import.meta.url, {
 *   name: "file_delete",
 *   input: z.strictObject({ path: z.string() }),
 *   isReadOnly: false,
 *   run: async ({ path }, { sandbox, signal }) => { … },
 * });
 */
export function defineTool<Input>(moduleUrl: string, tool: Omit<Tool<Input>, "description">): Tool<Input> {
  return { ...tool, description: readModelText(moduleUrl, `${tool.name.replaceAll("_", "-")}.md`) };
}

export function readModelText(moduleUrl: string, fileName: string): string {
  return readFileSync(new URL(fileName, moduleUrl), "utf8").trim();
}
