import { z } from "zod";
import { tableSchema } from "../events/run-events.ts";
import { named } from "./names.ts";

/** What a run has to show besides its words. */
export const resultSchema = named(
  "AnswerResult",
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("table"), call_id: z.string(), table: tableSchema }),
    z.object({ kind: z.literal("image"), call_id: z.string(), mime: z.string(), url: z.string() }),
    z.object({
      kind: z.literal("artifact"),
      call_id: z.string(),
      path: z.string(),
      size_bytes: z.number().int(),
      mime: z.string(),
      hash: z.string(),
      url: z.string().optional(),
    }),
  ]),
);
