import { z } from "zod";

const pattern = /^(built-in|(openai|openai-compatible|anthropic|google)(:\S{1,200})?)$/;

/** Which model: the built-in analyst, a provider's default model, or one by its name. */
export const modelNameSchema = z
  .string()
  .regex(
    pattern,
    "must be built-in or provider:model, where provider is openai, openai-compatible, anthropic or google",
  )
  .describe("`built-in` or provider:model");
