export { aliases, type Alias, findTool, resolveToolName } from "./aliases.ts";
export { allTools } from "./all-tools.ts";
export { callTool, checkInput } from "./call.ts";
export { joinEnds } from "./cut.ts";
export { sandboxTools } from "./sandbox-tools.ts";
export { executePython } from "./tools/python/execute-python.ts";
export type { CodeReport, Tool, ToolCalls, ToolContext, ToolFile, ToolOutput, ToolReporter } from "./tool.ts";
