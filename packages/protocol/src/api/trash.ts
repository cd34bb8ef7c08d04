import { z } from "zod";
import { flagParam } from "./ids.ts";
import { named } from "./names.ts";

export const deleteThreadQuery = z.object({
  now: flagParam.optional().describe("true: for good, past the trash; it cannot be taken back"),
});

const trashedThreadSchema = named(
  "TrashedThread",
  z.object({
    thread_id: z.string(),
    title: z.string().nullable(),
    message_count: z.number().int(),
    created_at: z.string(),
    trashed_at: z.string(),
    purge_at: z.string().describe("From then on it may be gone for good; later if the server is stopped"),
  }),
);

export const trashSchema = named("Trash", z.object({ threads: z.array(trashedThreadSchema) }));

export const restoredThreadSchema = named(
  "RestoredThread",
  z.object({ thread_id: z.string(), restored: z.literal(true) }),
);
