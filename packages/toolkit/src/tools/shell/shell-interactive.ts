import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { requireAbility } from "../abilities.ts";
import { type Input, performAction } from "./session-actions.ts";

const input: z.ZodType<Input> = z.strictObject({
  action: z.enum(["start", "write", "view", "wait", "kill"]),
  id: z.string().optional().describe("Of the session; default the newest one"),
  command: z.string().optional().describe("For start: the program; default bash"),
  cwd: z.string().optional().describe("For start: the folder; default the workspace"),
  input: z.string().optional().describe("For write: what to type; \\u0003 is Ctrl-C"),
  press_enter: z.boolean().optional().describe("For write: Enter after it; default true"),
  seconds: z.number().min(0).max(600).optional().describe("For start, write and wait: the longest wait"),
  until: z.string().optional().describe("For start, write and wait: wait only until this text appears"),
  since: z
    .string()
    .optional()
    .describe("For view and wait: only output after this point, as an earlier call named it"),
});

export const shellInteractive = defineTool(import.meta.url, {
  name: "shell_interactive",
  input,
  isReadOnly: false,
  run(given, context) {
    requireAbility(context, "shell");
    return performAction(given, context);
  },
});
