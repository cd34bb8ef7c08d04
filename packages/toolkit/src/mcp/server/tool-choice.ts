import { resolveToolName } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { allTools, sandboxTools } from "../../all-tools.ts";
import type { Tool } from "../../tool.ts";
import { executeCode } from "../../tools/code/execute-code.ts";

/**
 * The tools that a client is offered: `all`, or names with commas. Without a choice those that do nearly everything,
 * since a client's model has tools of its own to choose from as well.
 */
export function chooseTools(choice?: string): readonly Tool[] {
  if (choice === undefined) return [...sandboxTools, executeCode];
  if (choice === "all") return allTools;
  const names = choice
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const tools = names.map((name) => {
    const tool = allTools.find((known) => known.name === resolveToolName(name));
    if (tool) return tool;
    const known = allTools.map((each) => each.name).join(", ");
    throw new AtollError(
      "invalid_argument",
      `there is no tool "${name.slice(0, 100)}"; there are: all, ${known}`,
    );
  });
  if (tools.length === 0) throw new AtollError("invalid_argument", "which tools? Name some, or say all");
  return [...new Set(tools)];
}
