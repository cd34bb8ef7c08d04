import type { z } from "zod";
import type { ChosenLimits, LimitChoice, ThreadLimits } from "../../limits/thread-limits.ts";
import type { effectiveLimitsSchema, threadLimitsSchema } from "@atoll/protocol";
import { ApiError } from "../errors/api-error.ts";
import { toLimits, toSnakeCase } from "../wire.ts";

/** Limits that a request asks for: no more than the operator allows. */
export function chooseLimits(limits: ThreadLimits, asked: z.infer<typeof threadLimitsSchema>): LimitChoice {
  const choice = toLimits(asked) as LimitChoice;
  const reason = limits.whyTooMuch(choice);
  if (reason === undefined) return choice;
  throw new ApiError("forbidden", reason, {
    hint: "Ask for less. The operator sets the most with ATOLL_MAX_MEMORY_MB, ATOLL_MAX_CPUS, ATOLL_MAX_DISK_MB and ATOLL_MAX_RUN_S.",
  });
}

export function toWireLimits(limits: ChosenLimits): z.infer<typeof effectiveLimitsSchema> {
  return toSnakeCase({ ...limits }) as z.infer<typeof effectiveLimitsSchema>;
}
