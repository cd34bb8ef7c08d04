export { callTool, checkInput } from "./call.ts";
export { joinEnds } from "./cut.ts";
export { sandboxTools } from "./sandbox-tools.ts";
export { executePython } from "./tools/execute-python.ts";
export type { CodeReport, Tool, ToolContext, ToolOutput, ToolReporter } from "./tool.ts";
