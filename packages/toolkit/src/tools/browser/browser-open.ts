import { z } from "zod";
import { openAddress, readAddress } from "../../browser/page/navigation.ts";
import { defineTool } from "../../define-tool.ts";
import { openBrowser, snapshotInput } from "./browser-use.ts";
import { reportPage } from "./page-report.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;

const input = z.strictObject({
  url: z.string().min(1).max(100_000).describe("Address, e.g. https://example.com or localhost:8000"),
  new_tab: z.boolean().optional().describe("In a new tab, which becomes the current one. Default: false"),
  timeout_seconds: z.number().positive().max(120).optional().describe("Default: 30"),
  snapshot: snapshotInput,
});

export const browserOpen = defineTool(import.meta.url, {
  name: "browser_open",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run({ url, new_tab, timeout_seconds = DEFAULT_TIMEOUT_SECONDS, snapshot = true }, context) {
    const address = readAddress(url);
    const browser = await openBrowser(context);
    const status = await browser.act(async (current, signal) => {
      const page = new_tab ? await browser.tabs.open() : current;
      return openAddress(browser, page, address, { timeoutMs: timeout_seconds * 1000, signal });
    }, context);
    const said = status !== undefined && status >= 400 ? `The server answered with status ${status}.` : "";
    return reportPage(browser, context, { said, hasSnapshot: snapshot });
  },
});
