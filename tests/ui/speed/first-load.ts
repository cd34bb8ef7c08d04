import type { Browser } from "playwright-core";

export interface FirstLoad {
  /** Scripts and styles, with their bytes on the wire. */
  readonly parts: readonly { readonly path: string; readonly bytes: number; readonly encoding: string }[];
  /** From navigation until the message field has taken a key. */
  readonly interactiveMs: number;
}

/** Opens the page with an empty cache. */
export async function loadFirst(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  const sizes = new Map<string, number>();
  network.on("Network.loadingFinished", (event) => sizes.set(event.requestId, event.encodedDataLength));
  const found: { id: string; path: string; encoding: string }[] = [];
  network.on("Network.responseReceived", ({ requestId: id, type, response }) => {
    if (type !== "Script" && type !== "Stylesheet") return;
    const encoding = response.headers["content-encoding"] ?? response.headers["Content-Encoding"] ?? "";
    found.push({ id, path: new URL(response.url).pathname, encoding });
  });
  await network.send("Network.enable");
  await page.addInitScript(
    `addEventListener("input", () => (globalThis.typedAt ??= performance.now()), true)`,
  );
  await page.goto(`${url}/ui`, { waitUntil: "commit" });
  await page.locator(".composer textarea").press("x");
  const interactiveMs = Number(await page.evaluate("globalThis.typedAt"));
  await page.locator(".starter").first().waitFor();
  await page.waitForLoadState("load");
  const parts = found.map(({ id, path, encoding }) => ({ path, encoding, bytes: sizes.get(id) ?? 0 }));
  await context.close();
  return { parts, interactiveMs };
}

/** The floor: an empty page of the same server. */
export async function loadNothing(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/healthz`);
  const ms = await page.evaluate("performance.getEntriesByType('navigation')[0].domComplete");
  await context.close();
  return Number(ms);
}

/** In kB of 1000 bytes. */
export function sumKb(parts: FirstLoad["parts"], ending: ".js" | ".css" | "" = ""): number {
  const wanted = parts.filter(({ path }) => path.endsWith(ending));
  return wanted.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
}
