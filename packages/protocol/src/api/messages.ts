import { z } from "zod";
import { runOutcomeSchema } from "../events/run-events.ts";
import { codeLanguageSchema, storedEventSchema } from "../events/thread-events.ts";
import { named } from "./names.ts";
import { resultSchema } from "./results.ts";

const notBlank = z.string().regex(/\S/, "must not be empty");

export const messageBody = named(
  "NewMessage",
  z.strictObject({
    message: notBlank,
    mode: z
      .enum(["queue", "steer"])
      .optional()
      .describe(
        "While a run is under way: wait for its end (queue), or reach it before its next step (steer)",
      ),
  }),
);

export const codeBody = named(
  "NewCode",
  z.strictObject({
    code: notBlank,
    language: codeLanguageSchema.optional().describe("Default: python, in the thread's own kernel"),
  }),
);

export const answerSchema = named(
  "Answer",
  runOutcomeSchema.extend({
    thread_id: z.string(),
    run_id: z.string(),
    message_id: z.string(),
    results: z.array(resultSchema).describe("Tables, images and files of this run, in their order"),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
  }),
);

export const queuedMessageSchema = named(
  "QueuedMessage",
  z.object({
    thread_id: z.string(),
    message_id: z.string(),
    event_id: z.number().int().describe("Of its `message` event: what follows comes after this id"),
    position: z.number().int().describe("Messages before it"),
  }),
);

export const stopResultSchema = named(
  "StopResult",
  z.object({ thread_id: z.string(), was_running: z.boolean() }),
);

export const eventPageSchema = named(
  "EventPage",
  z.object({
    thread_id: z.string(),
    events: z.array(storedEventSchema),
    next_after: z.number().int().describe("For `after` of the next page"),
    has_more: z.boolean(),
  }),
);
