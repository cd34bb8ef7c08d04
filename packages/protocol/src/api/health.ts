import { z } from "zod";
import { named } from "./names.ts";

export const aliveSchema = named("Alive", z.object({ status: z.literal("ok") }));

export const readinessSchema = named(
  "Readiness",
  z.object({
    status: z
      .enum(["ready", "degraded", "not_ready"])
      .describe("degraded: something that was stored is damaged or lost; all else works"),
    obstacles: z.array(z.object({ name: z.string(), message: z.string().optional() })),
  }),
);

export const overviewSchema = named(
  "Overview",
  z.object({
    name: z.string(),
    description: z.string(),
    model: z.string(),
    endpoints: z.record(z.string(), z.string()),
  }),
);
