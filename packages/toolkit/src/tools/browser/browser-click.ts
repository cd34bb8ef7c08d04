import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { refInput, snapshotInput, usePage } from "./browser-use.ts";

const input = z.strictObject({
  ref: refInput,
  button: z.enum(["left", "right", "middle"]).optional().describe("Default: left"),
  double: z.boolean().optional().describe("A double click. Default: false"),
  snapshot: snapshotInput,
});

export const browserClick = defineTool(import.meta.url, {
  name: "browser_click",
  input,
  isReadOnly: false,
  isOpenWorld: true,
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
});
