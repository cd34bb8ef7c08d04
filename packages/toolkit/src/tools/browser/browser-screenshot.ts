import { z } from "zod";
import { takeScreenshot } from "../../browser/page/screenshot.ts";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { openBrowser, refInput } from "./browser-use.ts";
import { keepScreenshot } from "./kept-screenshot.ts";

const input = z.strictObject({
  full_page: z.boolean().optional().describe("The whole page, not only the part in view. Default: false"),
  ref: refInput.optional().describe("Only this element"),
});

export const browserScreenshot = defineTool(import.meta.url, {
  name: "browser_screenshot",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run({ full_page: isFullPage = false, ref }, context) {
    const browser = await openBrowser(context);
    const shot = await browser.act(
      (page, signal) => takeScreenshot(page, browser.references, { isFullPage, ref, signal }),
      context,
    );
    const { path, sizeBytes } = await keepScreenshot(shot, context);
    const name = path.split("/").at(-1) ?? path;
    return success(`Screenshot saved as ${path} (${shot.mime}, ${sizeBytes} bytes).`, {
      data: { path, mime: shot.mime, size_bytes: sizeBytes },
      images: [{ name, mime: shot.mime, base64: shot.bytes.toString("base64") }],
    });
  },
});
