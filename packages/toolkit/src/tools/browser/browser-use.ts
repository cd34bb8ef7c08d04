import type { Page } from "playwright-core";
import { z } from "zod";
import type { Browser } from "../../browser/browser.ts";
import { hasEnded } from "../../browser/fault.ts";
import { settle } from "../../browser/page/settle.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { notSupported } from "../abilities.ts";
import { reportPage } from "./page-report.ts";

export const refInput = z
  .string()
  .min(1)
  .max(40)
  .describe("Reference of an element in the latest snapshot, e.g. e12");

export const snapshotInput = z.boolean().optional().describe("Show the page afterwards. Default: true");

export async function openBrowser({ browser, signal }: ToolContext): Promise<Browser> {
  if (!browser) throw notSupported("this session has no browser");
  return browser.use({ signal });
}

/** Does something with the page in front, lets it react and tells what came of it. */
export async function usePage(
  context: ToolContext,
  work: (page: Page, browser: Browser, signal: AbortSignal) => Promise<string>,
  { hasSnapshot = true }: { hasSnapshot?: boolean | undefined } = {},
): Promise<ToolOutput> {
  const browser = await openBrowser(context);
  const said = await browser.act(
    (page, signal) => settle(page, browser, () => work(page, browser, signal).catch(sayIfClosed)),
    context,
  );
  return reportPage(browser, context, { said, hasSnapshot });
}

/** A button may close its own tab, and does so before it is known to be pressed. */
function sayIfClosed(error: unknown): string {
  if (hasEnded(error)) return "The tab was closed by it.";
  throw error;
}
