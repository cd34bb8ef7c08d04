import { allTools, findTool, sandboxTools, type Tool } from "@atoll/toolkit";
import type { AnswerRequest } from "../request.ts";

/** Worth a model's attention in every conversation, beside the sandbox's own. */
const always = ["execute_code", "task"];
const withNetwork = ["http_request"];
const withBrowser = ["browser_tool"];
const withPreviews = ["preview_url"];
const withMcp = ["mcp_list_servers", "mcp_list_tools", "mcp_execute"];

const withTwoRuntimes = ["sandboxed_python", "cpython_python"];

type Setting = Pick<AnswerRequest, "tools" | "toolContext" | "network" | "runtime">;

/** What a model is shown: unless the request says which, those that can do something here. */
export function offerTools({ tools, toolContext = {}, network = "none", runtime }: Setting): readonly Tool[] {
  if (tools) return tools;
  const names = [
    ...always,
    ...(runtime === "auto" ? withTwoRuntimes : []),
    ...(network === "none" ? [] : withNetwork),
    ...(toolContext.browser && network !== "none" ? withBrowser : []),
    ...(toolContext.previewUrl ? withPreviews : []),
    ...(toolContext.mcp ? withMcp : []),
  ];
  return [...sandboxTools, ...names.flatMap((name) => findTool(name) ?? [])];
}

/** What a model's programs may call: there, more tools cost no attention. */
export function programTools({ tools = allTools }: Setting): readonly Tool[] {
  return tools.filter(({ name }) => name !== "execute_code");
}
