import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import { refInput, snapshotInput, usePage } from "./browser-use.ts";

const input = z.strictObject({
  ref: refInput,
  button: z.enum(["left", "right", "middle"]).optional().describe("Default: left"),
  double: z.boolean().optional().describe("A double click. Default: false"),
  snapshot: snapshotInput,
});

export const browserClick: Tool<z.infer<typeof input>> = {
  name: "browser_click",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  run({ ref, button = "left", double = false, snapshot }, context) {
    return usePage(
      context,
      async (page, { references }) => {
        const target = await references.find(page, ref);
        await (double ? target.dblclick({ button }) : target.click({ button }));
        return `Clicked ${ref}.`;
      },
      { hasSnapshot: snapshot },
    );
  },
};
