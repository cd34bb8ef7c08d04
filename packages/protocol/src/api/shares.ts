import { z } from "zod";
import { storedEventSchema } from "../events/thread-events.ts";
import { flagParam, threadParams } from "./ids.ts";
import { named } from "./names.ts";

const shareId = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);

export const shareParams = threadParams.extend({ share_id: shareId });
export const sharedParams = z.object({ share_id: shareId });
export const sharedBlobParams = sharedParams.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) });

export const sharedBlobQuery = z.object({
  name: z.string().max(500).optional().describe("The file name to download it under"),
  download: flagParam.optional().describe("true: as an attachment, whatever its type"),
});

export const newShareBody = named(
  "NewShare",
  z.strictObject({
    is_new: z.boolean().optional().describe("true: a further link; default: the link that there is moves on"),
  }),
);

export const shareSchema = named(
  "Share",
  z.object({
    share_id: z.string(),
    url: z.string().describe("The page, on this server"),
    created_at: z.string(),
    shared_at: z.string().describe("What is shown is the conversation of this moment"),
  }),
);

export const shareListSchema = named(
  "ShareList",
  z.object({ thread_id: z.string(), shares: z.array(shareSchema) }),
);

export const sharedThreadSchema = named(
  "SharedThread",
  z.object({
    share_id: z.string(),
    title: z.string().nullable(),
    shared_at: z.string(),
    events: z
      .array(storedEventSchema)
      .describe("Up to the last answer that had ended; `thread_id` in them is the share's own"),
  }),
);
