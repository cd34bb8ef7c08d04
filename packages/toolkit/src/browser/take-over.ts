import type { CallOptions } from "@atoll/sandbox";
import type { Page } from "playwright-core";
import type { Browser } from "./browser.ts";
import { openAddress, readAddress } from "./page/navigation.ts";

/** What a person does who takes the browser over. Places are in the page's pixels. */
export type UserInput =
  | {
      readonly type: "mouse";
      readonly action: "move" | "down" | "up" | "click";
      readonly x: number;
      readonly y: number;
      readonly button?: "left" | "right" | "middle";
    }
  | {
      readonly type: "wheel";
      readonly x: number;
      readonly y: number;
      readonly deltaX: number;
      readonly deltaY: number;
    }
  | { readonly type: "key"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "navigate"; readonly url: string }
  | { readonly type: "history"; readonly action: "back" | "forward" | "reload" }
  | { readonly type: "tab"; readonly action: "select" | "close" | "new"; readonly tab?: number };

const loading = { waitUntil: "commit" as const, timeout: 30_000 };

export async function applyUserInput(
  browser: Browser,
  input: UserInput,
  options: CallOptions = {},
): Promise<void> {
  await browser.act((page, signal) => apply(browser, page, input, signal), options);
}

async function apply(browser: Browser, page: Page, input: UserInput, signal: AbortSignal): Promise<void> {
  switch (input.type) {
    case "mouse":
      return useMouse(page, input);
    case "wheel":
      await page.mouse.move(input.x, input.y);
      return page.mouse.wheel(input.deltaX, input.deltaY);
    case "key":
      return page.keyboard.press(input.key);
    case "text":
      return page.keyboard.insertText(input.text);
    case "navigate":
      await openAddress(browser, page, readAddress(input.url), { timeoutMs: loading.timeout, signal });
      return;
    case "history":
      await {
        back: () => page.goBack(loading),
        forward: () => page.goForward(loading),
        reload: () => page.reload(loading),
      }[input.action]();
      return;
    case "tab":
      return useTabs(browser, input);
  }
}

async function useMouse(
  page: Page,
  { action, x, y, button = "left" }: UserInput & { type: "mouse" },
): Promise<void> {
  if (action === "click") return page.mouse.click(x, y, { button });
  await page.mouse.move(x, y);
  if (action === "down") await page.mouse.down({ button });
  if (action === "up") await page.mouse.up({ button });
}

async function useTabs(
  { tabs }: Browser,
  { action, tab = tabs.currentId }: UserInput & { type: "tab" },
): Promise<void> {
  if (action === "new") await tabs.open();
  else await (action === "select" ? tabs.select(tab) : tabs.close(tab));
}
