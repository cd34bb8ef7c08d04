import { leastOpenFiles } from "@atoll/sandbox";
import { z } from "zod";
import { named } from "./names.ts";

export const timeoutMs = z.number().int().min(1).max(86_400_000).optional();
const positive = z.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional();

/** Within what the system can set, and what a sandbox needs to start at all. */
export const limitsSchema = z.strictObject({
  cpus: z.number().min(0.05).max(1024).optional(),
  memory_bytes: z
    .number()
    .int()
    .min(32 * 1024 * 1024)
    .max(Number.MAX_SAFE_INTEGER)
    .optional(),
  processes: z.number().int().min(1).max(1_000_000).optional(),
  timeout_ms: timeoutMs,
  file_size_bytes: positive,
  disk_bytes: positive,
  output_bytes: positive,
  open_files: z.number().int().min(leastOpenFiles).max(1_000_000).optional(),
  tmp_bytes: positive,
});

const { disk_bytes, timeout_ms } = limitsSchema.shape;

export const threadLimitsSchema = named(
  "ThreadLimits",
  z.strictObject({
    // With less than this its tables take minutes to be loaded, or are not loaded at all.
    memory_bytes: z
      .number()
      .int()
      .min(128 * 1024 * 1024)
      .max(Number.MAX_SAFE_INTEGER)
      .optional(),
    cpus: z.number().min(0.25).max(1024).optional(),
    disk_bytes,
    timeout_ms: timeout_ms.describe("Of a run or command that sets no time of its own"),
  }),
);

export const effectiveLimitsSchema = named(
  "EffectiveLimits",
  z.object({
    memory_bytes: z.number(),
    cpus: z.number(),
    disk_bytes: z.number(),
    timeout_ms: z.number(),
  }),
);
