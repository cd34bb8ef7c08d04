import { finish, reply, type Stream, toolCall } from "../scripted-openai/index.ts";

/** The scripted model calls one tool. */
export function callTool(tool: string, args: unknown): Stream {
  return reply(toolCall(tool, args), finish("tool_calls"));
}

export function runPython(code: string): Stream {
  return callTool("execute_python", { code });
}

export function runCommand(command: string): Stream {
  return callTool("execute_shell", { command });
}
