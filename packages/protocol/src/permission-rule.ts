import { z } from "zod";

/** `ask`: whoever owns the session decides. */
export const permissionSchema = z.enum(["allow", "ask", "deny"]);

/**
 * What calls of a tool may do. `*` stands for any text, in every part; a tool is meant by all of its names.
 * Of several rules that fit, the last one counts.
 */
export const permissionRuleSchema = z.strictObject({
  agent: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Whose calls: `main`, `task`, `browser`; without it, everybody's"),
  tool: z.string().min(1).max(100).describe("A tool's name, e.g. `execute_shell`, or `git_*`, or `*`"),
  input: z
    .record(z.string().max(100), z.string().max(10_000))
    .optional()
    .describe('Arguments by name, e.g. {"command": "git status*"}; all of them must fit'),
  exact: z
    .boolean()
    .optional()
    .describe("Fits only a call with these arguments and no others; `remember: call` makes such rules"),
  permission: permissionSchema,
});

export type Permission = z.infer<typeof permissionSchema>;
export type PermissionRule = z.infer<typeof permissionRuleSchema>;
