import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { refInput, snapshotInput, usePage } from "./browser-use.ts";

const input = z.strictObject({
  ref: refInput.describe("Reference of a field in the latest snapshot, e.g. e12"),
  text: z.string().max(100_000),
  submit: z.boolean().optional().describe("Press Enter afterwards. Default: false"),
  clear: z.boolean().optional().describe("Replace what is in the field. Default: true"),
  snapshot: snapshotInput,
});

export const browserType = defineTool(import.meta.url, {
  name: "browser_type",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  run({ ref, text, submit = false, clear = true, snapshot }, context) {
    return usePage(
      context,
      async (page, { references }) => {
        const target = await references.find(page, ref);
        if (clear) await target.fill(text);
        else {
          await target.focus();
          await page.keyboard.press("End");
          await page.keyboard.insertText(text);
        }
        if (submit) await target.press("Enter");
        return `Typed into ${ref}${submit ? " and pressed Enter" : ""}.`;
      },
      { hasSnapshot: snapshot },
    );
  },
});
