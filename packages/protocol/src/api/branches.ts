import { z } from "zod";
import { lostVariableSchema } from "../events/thread-events.ts";
import { named } from "./names.ts";

export const branchBody = named(
  "NewBranch",
  z.strictObject({
    message_id: z.string().min(1).max(64).describe("A message of the user in this thread"),
    before: z
      .boolean()
      .optional()
      .describe("true: as it was before this message was answered, e.g. to send another in its place"),
    title: z.string().trim().min(1).max(200).optional().describe("Default: the thread's own, with (branch)"),
  }),
);

export const branchSchema = named(
  "Branch",
  z.object({
    thread_id: z.string().describe("The new thread"),
    parent_thread_id: z.string(),
    parent_message_id: z.string(),
    title: z.string().nullable(),
    message_count: z.number().int(),
    is_exact: z.boolean().describe("Files and variables are those of that turn, all of them"),
    state_of: z
      .object({
        message_id: z.string(),
        before: z.boolean().describe("The state before that message was answered, not after"),
        taken_at: z.string(),
      })
      .nullable()
      .describe("Whose files and variables they are; null: none were kept, it starts with the data alone"),
    restored: z.array(z.string()).describe("Variables that are there, by name"),
    lost: z.array(lostVariableSchema),
    missing_files: z.array(z.object({ path: z.string(), reason: z.string() })),
  }),
);
