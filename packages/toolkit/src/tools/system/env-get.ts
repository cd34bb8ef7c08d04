import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { failure, success } from "../../output.ts";
import type { Tool } from "../../tool.ts";

const input = z.strictObject({
  name: z.string().min(1).optional().describe("Default: all variables"),
});

export const envGet: Tool<z.infer<typeof input>> = {
  name: "env_get",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run({ name }, { sandbox, signal }) {
    if (name === undefined) {
      const all = await sandbox.env.list({ signal });
      const lines = Object.entries(all).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      return success(lines.toSorted().join("\n"), { data: all });
    }
    const value = await sandbox.env.get(name, { signal });
    return value === undefined ? failure(`${name} is not set.`) : success(value, { data: value });
  },
};
