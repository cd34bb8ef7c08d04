import { AtollError } from "@atoll/sandbox";
import { findTool } from "../aliases.ts";
import type { ToolSession } from "../session/tool-session.ts";
import type { Tool } from "../tool.ts";

export interface ToolPick {
  /** Only these, by any of their names; each goes by the name it is given here. Default: all of the session's. */
  readonly names?: readonly string[];
}

export function pickTools(session: ToolSession, { names }: ToolPick = {}): readonly Tool[] {
  return names?.map((name) => findTool(name, session.tools) ?? refuse(name, session)) ?? session.tools;
}

function refuse(name: string, { tools }: ToolSession): never {
  const known = tools.map((tool) => tool.name).join(", ");
  throw new AtollError("invalid_argument", `names: there is no tool "${name}"; there are: ${known}`);
}
