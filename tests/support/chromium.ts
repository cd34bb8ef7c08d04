import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = CANDIDATES.find((path) => existsSync(path));

/** For `describeIf`: what this machine lacks. */
export const missingChromium =
  executablePath === undefined ? "there is no Chromium: apt-get install chromium" : undefined;

/** How long a page may take on a slow machine. */
const PATIENCE_MS = 90_000;

/** A browser of its own, with an empty profile. Nothing in it asks the network for anything by itself. */
export async function openChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}
