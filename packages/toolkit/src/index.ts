export { aliases, type Alias, findTool, resolveInput, resolveToolName } from "./aliases.ts";
export { allTools } from "./all-tools.ts";
export { callTool, checkInput } from "./call.ts";
export { joinEnds } from "./cut.ts";
export { sandboxTools } from "./sandbox-tools.ts";
export { executePython } from "./tools/python/execute-python.ts";
export { judge, type JudgedCall, ruleFor } from "./permissions/judge.ts";
export * from "./permissions/rule.ts";
export type * from "./tool.ts";
