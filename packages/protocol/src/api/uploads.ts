import { z } from "zod";
import { named } from "./names.ts";

export const uploadedFileSchema = named(
  "UploadedFile",
  z.object({
    file_id: z.string(),
    filename: z.string().describe("Made safe: no folder, no control characters"),
    size_bytes: z.number().int(),
    sha256: z.string(),
    created_at: z.string(),
  }),
);

export const uploadResultSchema = named(
  "UploadResult",
  z.object({
    message: z.string(),
    files: z.array(uploadedFileSchema),
    errors: z
      .array(z.object({ filename: z.string(), code: z.string(), message: z.string() }))
      .optional()
      .describe("Files that were not taken, and why"),
  }),
);
