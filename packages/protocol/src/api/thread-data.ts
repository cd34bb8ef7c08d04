import { z } from "zod";
import { dataProfileSchema } from "../events/data-profile.ts";
import { named } from "./names.ts";
import { temporarySchema } from "./sessions.ts";

export const threadDataSchema = named(
  "ThreadData",
  z.object({
    thread_id: z.string(),
    data: dataProfileSchema.nullable().describe("null: the files have not been read yet"),
    suggestions: z.array(z.string()).describe("Questions that this data can answer"),
  }),
);

export const threadDataQuery = z.object({
  language: z
    .enum(["en", "zh"])
    .optional()
    .describe("Of the suggestions; without it that of the table's columns"),
});

export const newDataBody = named(
  "NewThreadData",
  z.strictObject({
    file_ids: z.array(z.string().min(1).max(64)).min(1).max(100).describe("From POST /upload"),
  }),
);

export const dataAddedSchema = named(
  "ThreadDataAdded",
  threadDataSchema.extend({
    files: z
      .array(z.object({ file_id: z.string(), filename: z.string(), size_bytes: z.number().int() }))
      .describe("All files of the thread"),
    is_pending: z
      .boolean()
      .describe(
        "They are not read yet: a run is under way, or they are large. A `data` event tells when they are",
      ),
    errors: z
      .array(z.object({ filename: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe("Files of an upload that were not taken, and why"),
    temporary: temporarySchema.optional(),
  }),
);
