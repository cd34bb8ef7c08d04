import { z } from "zod";
import { permissionRuleSchema } from "../permission-rule.ts";
import { named } from "./names.ts";

named("ApprovalRule", permissionRuleSchema);

export const maxApprovalRules = 200;

export const approvalRulesSchema = z
  .array(permissionRuleSchema)
  .max(maxApprovalRules)
  .describe("What tools may do; of the rules that fit a call, the last one counts");

export const approvalBody = named(
  "ApprovalDecision",
  z.strictObject({
    decision: z.enum(["allow", "deny"]),
    reason: z.string().max(2000).optional().describe("Told to the model with a denial"),
    remember: z
      .enum(["call", "tool"])
      .optional()
      .describe(
        "Adds a rule to the thread, so that the same holds from now on: for this very call, or for whatever this agent does with the tool",
      ),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The arguments that the call is to run with instead of its own; the model is told"),
  }),
);

export const approvalResultSchema = named(
  "ApprovalResult",
  z.object({ approval_id: z.string(), decision: z.enum(["allow", "deny"]) }),
);

export const approvalListSchema = named(
  "ApprovalList",
  z.object({
    thread_id: z.string(),
    approvals: z
      .array(
        named(
          "OpenApproval",
          z.object({
            approval_id: z.string(),
            run_id: z.string(),
            call_id: z.string(),
            tool: z.string(),
            input: z.unknown().describe("The arguments"),
            agent: z.string().describe("Whose call it is: `main` talks to the user"),
            parent_call_id: z
              .string()
              .optional()
              .describe("The call that this one is a part of, where a program or another agent makes it"),
            asked_at: z.string(),
            expires_at: z.string().describe("When it counts as refused"),
          }),
        ),
      )
      .describe("Calls that wait for a decision, oldest first"),
  }),
);
