import { z } from "zod";
import { mostWhole, threadParams, wholeParam } from "./ids.ts";
import { named } from "./names.ts";

export const terminalParams = threadParams.extend({ terminal_id: z.string().regex(/^[0-9a-f]{18}$/) });

const side = z.number().int().min(1).max(1000);

export const terminalSizeBody = named("TerminalSize", z.strictObject({ cols: side, rows: side }));

export const terminalInputBody = named(
  "TerminalInput",
  z.strictObject({
    data: z
      .string()
      .min(1)
      .max(256 * 1024)
      .describe("What is typed, as a terminal sends it"),
  }),
);

export const terminalSchema = named(
  "Terminal",
  z.object({ terminal_id: z.string(), started_at: z.string(), is_running: z.boolean() }),
);

export const terminalListSchema = named("TerminalList", z.object({ terminals: z.array(terminalSchema) }));

export const terminalDoneSchema = named("TerminalDone", z.object({ terminal_id: z.string() }));

export const terminalQuery = z.object({
  after: wholeParam(0, mostWhole)
    .optional()
    .describe("Only what it wrote from this offset on; `Last-Event-ID` wins"),
});
