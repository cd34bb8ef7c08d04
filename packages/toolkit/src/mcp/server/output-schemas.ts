import { z } from "zod";

const status = z.enum(["ok", "error", "timeout", "killed"]);

/** Of the tools whose data always has this form when they succeed: a client may rely on it. */
export const outputSchemas: Readonly<Record<string, z.ZodType>> = {
  execute_python: z.object({ status, stdout: z.string(), stderr: z.string() }),
  javascript_exec: z.object({ exit_code: z.int(), status, stdout: z.string(), stderr: z.string() }),
  execute_code: z.object({ status, output: z.string(), tool_calls: z.int() }),
  preview_url: z.object({ url: z.string(), is_listening: z.boolean() }),
};
