import type { Page } from "playwright-core";
import type { Threads } from "./threads.ts";

/** One state of the page, and how to get there. */
export interface Scene {
  readonly name: string;
  /** Can follow the previous scene in the same page. */
  readonly canFollow?: boolean;
  path(threads: Threads): string;
  /** Resolves when the scene is complete. */
  arrange(page: Page): Promise<unknown>;
}

const thread = (name: "empty" | "answer" | "error" | "approval") => (threads: Threads) =>
  `/ui#/thread/${threads[name]}`;

export const scenes: readonly Scene[] = [
  {
    name: "welcome",
    path: thread("empty"),
    arrange: (page) => page.locator(".starter").first().waitFor(),
  },
  {
    name: "answer",
    path: thread("answer"),
    arrange: (page) => page.locator(".picture-button img").last().waitFor(),
  },
  {
    name: "scrolled",
    canFollow: true,
    path: thread("answer"),
    async arrange(page) {
      await page.locator(".picture-button img").last().waitFor();
      await page.locator(".transcript").hover();
      await page.mouse.wheel(0, -10_000);
      await page.locator('.transcript-row[data-index="0"]').waitFor();
      await page.locator(".jump").waitFor();
    },
  },
  {
    name: "code",
    path: thread("answer"),
    async arrange(page) {
      await page.locator(".call-toggle").last().click();
      await page.locator(".code-keyword").first().waitFor();
      await page.locator(".run-again button").last().click();
      await page.locator(".cm-content").waitFor();
    },
  },
  {
    name: "error",
    path: thread("error"),
    async arrange(page) {
      await page.locator(".error-card summary").click();
      await page.locator(".code-keyword").first().waitFor();
    },
  },
  {
    name: "table",
    path: thread("answer"),
    async arrange(page) {
      await page.locator(".table-foot .button:has(.lucide-expand)").last().click();
      await page.locator(".grid-row .number").first().waitFor();
    },
  },
  {
    name: "approval",
    path: thread("approval"),
    arrange: (page) => page.locator(".approval .code-string").first().waitFor(),
  },
  ...(["gallery", "files", "sandbox", "variables", "terminal", "browser", "ports"] as const).map(
    (panel): Scene => ({
      name: `panel-${panel}`,
      canFollow: panel !== "gallery" && panel !== "files",
      path: thread(panel === "gallery" ? "error" : "answer"),
      async arrange(page) {
        await openUnless(page, ".side-panel", ".topbar button:has(.lucide-panel-right)");
        await page.locator(`#tab-${panel}`).click();
        await page.locator(shownIn[panel]).first().waitFor();
        if (panel === "terminal") await lookAtData(page);
      },
    }),
  ),
  {
    name: "settings",
    path: thread("answer"),
    async arrange(page) {
      await page.locator(".topbar button:has(.lucide-settings)").click();
      await page.locator(".settings .facts dd").first().waitFor();
    },
  },
  {
    name: "history",
    path: thread("answer"),
    async arrange(page) {
      await openUnless(page, ".sidebar", ".topbar button:has(.lucide-panel-left)");
      await page.locator(".thread-entry.depth-1").first().waitFor();
    },
  },
  {
    name: "menu",
    path: thread("answer"),
    async arrange(page) {
      await openUnless(page, ".menu", ".topbar .menu-root > button");
      await page.locator("[role=menuitem]").first().waitFor();
    },
  },
  {
    name: "compare",
    canFollow: true,
    path: thread("answer"),
    async arrange(page) {
      await openUnless(page, ".menu", ".topbar .menu-root > button");
      await page.locator("[role=menuitem]:has(.lucide-columns-2)").click();
      await page.locator(".compared-side").first().waitFor();
    },
  },
  {
    name: "shared",
    path: ({ shared }) => shared,
    arrange: (page) => page.locator(".picture-button img").first().waitFor(),
  },
  {
    name: "gone",
    path: () => "/ui#/thread/nobody-has-this-one",
    arrange: (page) => page.locator(".page-problem").waitFor(),
  },
];

/** What a panel shows once it has loaded. */
const shownIn = {
  files: ".tree-row",
  gallery: ".gallery img",
  sandbox: ".sparkline",
  variables: ".variables td",
  terminal: ".xterm-rows",
  browser: ".panel",
  ports: ".panel",
} as const;

async function lookAtData(page: Page): Promise<void> {
  await page.locator(".xterm-rows", { hasText: "$" }).waitFor();
  await page.locator(".xterm").click();
  await page.keyboard.type("head -4 /data/transactions.csv\n");
  await page.locator(".xterm-rows", { hasText: "2024-01-01" }).waitFor();
}

/** A part may be open already: in a wide window, or from the previous scene. */
async function openUnless(page: Page, part: string, button: string): Promise<void> {
  if ((await page.locator(part).count()) === 0) await page.locator(button).click();
}
