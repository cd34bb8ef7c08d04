import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";

export const envGet = defineTool(import.meta.url, {
  name: "env_get",
  input: z.strictObject({
    name: z.string().min(1).optional().describe("Default: all variables"),
  }),
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
});

export const envSet = defineTool(import.meta.url, {
  name: "env_set",
  input: z.strictObject({
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "letters, digits and _, not a digit first"),
    value: z.string().nullable().describe("null takes the variable away"),
  }),
  isReadOnly: false,
  async run({ name, value }, { sandbox, signal }) {
    await sandbox.env.set({ [name]: value }, { signal });
    return success(value === null ? `${name} is not set any more.` : `${name} is set.`);
  },
});
