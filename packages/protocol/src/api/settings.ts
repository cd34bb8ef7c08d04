import { z } from "zod";
import { approvalRulesSchema } from "./approvals.ts";
import { modelNameSchema } from "./models.ts";
import { named } from "./names.ts";

const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/, "must be 1 to 500 visible ASCII characters")
  .nullable()
  .optional();

const keyShown = z.object({ last_four: z.string() }).nullable();

export const settingsBody = named(
  "SettingsChange",
  z
    .strictObject({
      model: modelNameSchema.nullable().optional(),
      base_url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .nullable()
        .optional()
        .describe(
          "Of an OpenAI-compatible server. Another origin takes back the key for OpenAI: send the new one with it",
        ),
      keys: z.strictObject({ openai: key, anthropic: key, google: key }).optional(),
      approval_rules: approvalRulesSchema
        .nullable()
        .optional()
        .describe("For all threads, before the rules of each"),
    })
    .describe("null takes a value back; what is absent stays. Keys are never sent back."),
);

export const settingsSchema = named(
  "Settings",
  z.object({
    model: z.string().nullable().describe("As set here; null: by ATOLL_MODEL, else by the keys"),
    active_model: z.string().describe("What answers now where a thread has no model of its own"),
    base_url: z.string().nullable(),
    keys: z
      .object({ openai: keyShown, anthropic: keyShown, google: keyShown })
      .describe("Those set here; keys in the environment are not listed"),
    approval_rules: approvalRulesSchema.describe("For all threads, before the rules of each"),
  }),
);

export const settingsTestBody = named(
  "SettingsTest",
  z.strictObject({ model: modelNameSchema.optional().describe("Default: the model that answers now") }),
);

export const settingsTestSchema = named(
  "SettingsTestResult",
  z.object({
    model: z.string(),
    is_ok: z.boolean(),
    code: z.string().optional(),
    message: z.string().optional(),
    hint: z.string().optional(),
    duration_ms: z.number(),
  }),
);
