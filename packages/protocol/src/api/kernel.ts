import { z } from "zod";
import { threadParams } from "./ids.ts";
import { named } from "./names.ts";

export const variableParams = threadParams.extend({ name: z.string().min(1).max(200) });

export const variableSchema = named(
  "Variable",
  z.object({
    name: z.string(),
    type: z.string(),
    kind: z.enum(["value", "function", "class"]),
    shape: z
      .array(z.number().int())
      .optional()
      .describe("Of an array or a table its dimensions, of a collection its length"),
    size_bytes: z.number().int().optional(),
    preview: z.string().describe("One short line"),
  }),
);

export const variableListSchema = named(
  "VariableList",
  z.object({
    thread_id: z.string(),
    is_awake: z.boolean().describe("false: the sandbox rests; its variables come back with its next use"),
    variables: z.array(variableSchema),
    total: z.number().int().describe("Also of those that are too many to list"),
  }),
);

export const kernelSchema = named(
  "KernelResult",
  z.object({ thread_id: z.string(), is_done: z.boolean().describe("false: there was nothing to do") }),
);
