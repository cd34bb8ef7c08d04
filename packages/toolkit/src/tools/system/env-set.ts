import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";

const input = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "letters, digits and _, not a digit first"),
  value: z.string().nullable().describe("null takes the variable away"),
});

export const envSet: Tool<z.infer<typeof input>> = {
  name: "env_set",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ name, value }, { sandbox, signal }) {
    await sandbox.env.set({ [name]: value }, { signal });
    return success(value === null ? `${name} is not set any more.` : `${name} is set.`);
  },
};
