import { z } from "zod";
import { MIN_OPEN_FILES } from "../limits.ts";
import { named } from "./names.ts";

export const timeoutMs = z.number().int().min(1).max(86_400_000).optional();
const MiB = 1024 * 1024;
const PiB = 1024 ** 5;
const bytes = (least: number) => z.number().int().min(least).max(PiB).optional();

/** Within what the system can set, and what a sandbox needs to start and to run anything at all. */
export const limitsSchema = z.strictObject({
  cpus: z.number().min(0.05).max(1024).optional(),
  memory_bytes: bytes(128 * MiB),
  processes: z.number().int().min(16).max(1_000_000).optional(),
  timeout_ms: z.number().int().min(500).max(86_400_000).optional(),
  file_size_bytes: bytes(1 * MiB),
  disk_bytes: bytes(16 * MiB),
  output_bytes: bytes(1024),
  open_files: z.number().int().min(MIN_OPEN_FILES).max(1_000_000).optional(),
  tmp_bytes: bytes(1 * MiB),
});

const { disk_bytes, timeout_ms } = limitsSchema.shape;

export const threadLimitsSchema = named(
  "ThreadLimits",
  z.strictObject({
    // With less than this its tables take minutes to be loaded, or are not loaded at all.
    memory_bytes: bytes(128 * MiB),
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
