import type { Browser, Page } from "playwright-core";
import { runInPage } from "../../support/ui/run-in-page.ts";
import type { Scene } from "./scenes.ts";
import type { Threads } from "./threads.ts";

export interface Look {
  readonly language: "en" | "zh";
  readonly width: number;
  readonly theme?: "light" | "dark";
}

/** A browser window that shows one scene after the other. */
export async function openWindow(
  browser: Browser,
  { language, width, theme = "light" }: Look,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    locale: language === "zh" ? "zh-CN" : "en-US",
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  return context.newPage();
}

/** Shows a scene and waits until nothing moves or loads. A new window always loads the page. */
export async function showScene(page: Page, url: string, scene: Scene, threads: Threads): Promise<void> {
  if (!scene.canFollow || page.url() === "about:blank") {
    await page.goto("about:blank");
    await page.goto(url + scene.path(threads));
  }
  await scene.arrange(page);
  while (!(await runInPage<boolean>(page, "stillness", "isStill")));
}
