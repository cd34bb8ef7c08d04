import { z } from "zod";
import { takeSnapshot } from "../../browser/page/snapshot.ts";
import { defineTool } from "../../define-tool.ts";
import { openBrowser, refInput } from "./browser-use.ts";
import { reportPage } from "./page-report.ts";

/** For where and what the page is. */
const RESERVED_CHARS = 2000;

const input = z.strictObject({
  ref: refInput.optional().describe("Only this element and what is in it"),
  offset: z.int().min(0).optional().describe("Leaves out this many characters of the beginning, to read on"),
});

export const browserSnapshot = defineTool(import.meta.url, {
  name: "browser_snapshot",
  input,
  isReadOnly: true,
  isOpenWorld: true,
  async run({ ref, offset = 0 }, context) {
    const browser = await openBrowser(context);
    const maxChars = Math.max(1000, context.maxOutputChars - RESERVED_CHARS);
    const { text, isPartial } = await browser.act(
      (page, signal) => takeSnapshot(page, browser.references, { signal, ref, skipChars: offset, maxChars }),
      context,
    );
    const { text: head, data, ...output } = await reportPage(browser, context, { hasSnapshot: false });
    const more = isPartial ? `\n[There is more: give offset ${offset + text.length}.]` : "";
    const shown =
      text || (offset > 0 ? "(There is nothing after that offset.)" : "(The page shows nothing.)");
    return {
      ...output,
      text: `${head}\nSnapshot:\n${shown}${more}`,
      data: { ...(data as object), snapshot: text, is_partial: isPartial },
    };
  },
});
