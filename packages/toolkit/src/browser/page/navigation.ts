import { AtollError } from "@atoll/sandbox";
import type { Page, Response } from "playwright-core";
import type { Browser } from "../browser.ts";
import { describeFault, isTimeout, toAtollError } from "../fault.ts";
import { settle } from "./settle.ts";

const ALLOWED_SCHEMES = ["http:", "https:", "data:", "about:"];
const DOWNLOAD_TIMEOUT_MS = 5000;
const ERROR_PAGE_TIMEOUT_MS = 2000;
const REFUSED_BY_PROXY = [403, 429, 502];

/** Reads an address as people write it: `example.com`, `localhost:8000/x`, `https://…`. */
export function readAddress(text: string): URL {
  const trimmed = text.trim();
  const isBare = !/^[a-z][a-z\d+.-]*:/i.test(trimmed) || /^[^/?#]*:\d+([/?#]|$)/.test(trimmed);
  const isOwn = /^(localhost|127\.0\.0\.1|\[::1\])([:/?#]|$)/i.test(trimmed);
  const url = URL.parse(isBare ? `${isOwn ? "http" : "https"}://${trimmed}` : trimmed);
  if (!url)
    throw new AtollError("invalid_argument", `${JSON.stringify(trimmed.slice(0, 200))} is not an address`);
  if (url.protocol === "file:")
    throw new AtollError(
      "invalid_argument",
      "the browser sees no files of the workspace: serve them (python3 -m http.server 8000) and open http://localhost:8000/",
    );
  if (!ALLOWED_SCHEMES.includes(url.protocol))
    throw new AtollError(
      "invalid_argument",
      `the browser opens no ${url.protocol} addresses, only http and https`,
    );
  return url;
}

/** Gives the status of the answer, where there is one. What the network policy refuses is an error that says so. */
export async function openAddress(
  browser: Browser,
  page: Page,
  url: URL,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<number | undefined> {
  const startMs = Date.now();
  const options = { waitUntil: "domcontentloaded" as const, timeout: timeoutMs, signal };
  const go = () =>
    page.goto(url.href, options).catch(async (error: unknown) => {
      if (!/Download is starting/.test(describeFault(error))) throw error;
      await browser.downloads.begun(DOWNLOAD_TIMEOUT_MS);
      return null;
    });
  const response = await settle(page, browser, go).catch(async (error: unknown) => {
    await (isUnreachable(error) ? waitForErrorPage(page) : stopLoading(page));
    throw explain(error, { browser, url, startMs, timeoutMs, signal });
  });
  if (!response) return undefined;
  const reason = await findRefusal(browser, response, startMs);
  if (reason !== undefined) throw notOpened(url, reason);
  return response.status();
}

async function findRefusal(
  browser: Browser,
  response: Response,
  startMs: number,
): Promise<string | undefined> {
  const url = URL.parse(response.url());
  return url && REFUSED_BY_PROXY.includes(response.status())
    ? browser.refusals.reasonFor(url, startMs)
    : undefined;
}

interface Attempt {
  readonly browser: Browser;
  readonly url: URL;
  readonly startMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function explain(error: unknown, { browser, url, startMs, timeoutMs, signal }: Attempt): AtollError {
  if (!signal.aborted && isTimeout(error))
    return new AtollError(
      "timeout",
      `${url.href} did not load within ${timeoutMs / 1000} s. The tab can be used on; try again, or give timeout_seconds`,
    );
  // It may have been on its way to another place.
  const other = URL.parse(/another navigation to "([^"]+)"/.exec(describeFault(error))?.[1] ?? "") ?? url;
  const reason = browser.refusals.reasonFor(url, startMs) ?? browser.refusals.reasonFor(other, startMs);
  return reason === undefined || signal.aborted ? toAtollError(error, signal) : notOpened(url, reason);
}

function notOpened(url: URL, reason: string): AtollError {
  const isPolicy = /network policy|not public/.test(reason);
  const hint = isPolicy ? ". Ask the user to allow the host" : "";
  return new AtollError(
    isPolicy ? "permission_denied" : "unavailable",
    `${url.href} cannot be opened: ${reason}${hint}`,
  );
}

function isUnreachable(error: unknown): boolean {
  return /net::ERR_(?!ABORTED)/.test(describeFault(error));
}

/** The error page loads after the failure is reported, and would interrupt the next navigation. */
async function waitForErrorPage(page: Page): Promise<void> {
  await page.waitForURL(/^chrome-error:/, { timeout: ERROR_PAGE_TIMEOUT_MS }).catch(() => {});
}

/** What hangs would keep the tab busy for good. */
async function stopLoading(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Page.stopLoading");
    await session.detach();
  } catch {
    // It has ended.
  }
}
