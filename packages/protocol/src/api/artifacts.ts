import { z } from "zod";
import { flagParam, mostWhole, wholeParam } from "./ids.ts";
import { named } from "./names.ts";

const maxSignedTtlS = 86_400;

export const artifactsQuery = z.object({
  ttl_s: wholeParam(1, maxSignedTtlS)
    .optional()
    .describe("How long a signed address works; default 600 seconds"),
});

export const blobQuery = z.object({
  name: z.string().max(500).optional().describe("The file name to download it under"),
  expires: wholeParam(0, mostWhole).optional().describe("Of a signed address: seconds since 1970"),
  signature: z.string().max(200).optional(),
  download: flagParam.optional().describe("true: as an attachment, whatever its type"),
});

const version = z.object({
  hash: z.string(),
  size_bytes: z.number().int(),
  mime: z.string(),
  at: z.string(),
  run_id: z.string().optional(),
  url: z.string().optional().describe("Absent when the file was too large to keep a copy of"),
  signed_url: z.string().optional().describe("Works without a token until `expires_at`"),
  expires_at: z.string().optional(),
});

export const artifactsSchema = named(
  "ArtifactList",
  z.object({
    thread_id: z.string(),
    artifacts: z.array(
      named(
        "Artifact",
        version.extend({
          path: z.string(),
          name: z.string(),
          versions: z.array(named("ArtifactVersion", version)).describe("Oldest first, this one last"),
        }),
      ),
    ),
  }),
);
