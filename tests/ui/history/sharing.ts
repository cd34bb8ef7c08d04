import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";

export function describeSharing(ui: () => UiHarness): void {
  describe("a shared link", () => {
    it("shows a shared thread without an account, read-only", async () => {
      const app = await ui().open();
      await app.ask("Show me monthly trends");
      const reader = await openAsStranger(ui(), await share(app));
      await reader.page.getByText("highest in").waitFor();
      await reader.page.getByText(/Read-only/).waitFor();
      expect(await reader.page.getByRole("grid").or(reader.page.getByRole("table")).count()).toBeGreaterThan(
        0,
      );
      const plot = reader.page.locator("figure img").first();
      await expect
        .poll(() => plot.evaluate((image) => Number(Reflect.get(image, "naturalWidth"))))
        .toBeGreaterThan(100);
      await reader.page.locator(".call-toggle").first().click();
      await reader.page.getByText("groupby").first().waitFor();
      expect(await changers(reader.page)).toEqual([]);
      expect(reader.strays).toEqual([]);
      expect(reader.problems).toEqual([]);
      await reader.close();
    });

    it("shows the thread as it was when it was shared", async () => {
      ui().models.script(say("The first answer."), say("The second answer."));
      const app = await ui().open({ model: "scripted" });
      await app.ask("One");
      const link = await share(app);
      await app.ask("Two");
      const reader = await openAsStranger(ui(), link);
      await reader.page.getByText("The first answer.").waitFor();
      expect(await reader.page.getByText("The second answer.").count()).toBe(0);
      expect(await share(app)).toBe(link);
      await reader.page.reload();
      await reader.page.getByText("The second answer.").waitFor();
      expect(reader.problems).toEqual([]);
      await reader.close();
    });

    it("shows a shared table that sorts and filters without the server", async () => {
      const code = "import pandas as pd\nprint('said')\npd.DataFrame({'n': range(40), 'name': ['row'] * 40})";
      ui().models.script(runPython(code), say("Forty."));
      const app = await ui().open({ model: "scripted" });
      await app.ask("A table, please");
      const reader = await openAsStranger(ui(), await share(app));
      await reader.page.getByText("said", { exact: true }).waitFor();
      await reader.page.getByText("Forty.").waitFor();
      await reader.page.getByRole("button", { name: "n", exact: true }).click();
      const [download] = await Promise.all([
        reader.page.waitForEvent("download"),
        reader.page.getByRole("button", { name: "Download as CSV" }).click(),
      ]);
      expect(await readFile(await download.path(), "utf8")).toContain("39,row");
      expect(await changers(reader.page)).toEqual([]);
      expect(reader.strays).toEqual([]);
      expect(reader.problems).toEqual([]);
      await reader.close();
    });

    it("stops working once sharing stops", async () => {
      const app = await ui().open();
      await app.ask("How many rows are there?");
      const link = await share(app);
      const reader = await openAsStranger(ui(), link);
      await reader.page.getByText("6,218").first().waitFor();
      await openShareDialog(app);
      await app.page.getByRole("button", { name: "Stop sharing" }).click();
      await app.page.getByText("The link no longer works.").waitFor();
      await reader.page.reload();
      await reader.page.getByText(/link no longer works/).waitFor();
      expect(await reader.page.getByText("6,218").count()).toBe(0);
      await reader.close();
      expect(app.problems).toEqual([]);
    });
  });
}

/** The address in the dialog. */
async function share(app: AppPage): Promise<string> {
  await openShareDialog(app);
  const dialog = app.page.getByRole("dialog", { name: "Share a link" });
  const [answered] = await Promise.all([
    app.page.waitForResponse((one) => one.url().endsWith("/share")),
    dialog.getByRole("button", { name: "Copy the link" }).click(),
  ]);
  expect(answered.status()).toBe(200);
  const link = await dialog.getByRole("textbox", { name: "Link to share" }).inputValue();
  await app.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return link;
}

async function openShareDialog({ page }: AppPage): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Share a link" }).click();
}

/** `strays`: requests of the page outside of the link. */
async function openAsStranger(ui: UiHarness, link: string) {
  const context = await ui.browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const strays: string[] = [];
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol === "http:" && !/^\/(ui|shared)\//.test(pathname)) strays.push(pathname);
  });
  await page.goto(link);
  return { page, problems, strays, close: () => context.close() };
}

/** Controls by which a reader could try to change something, or ask the owner's sandbox for more. */
async function changers(page: Page): Promise<string[]> {
  const harmless =
    /^(Copy|Copied|Enlarge|Language: .*|More rows|Fewer rows|Close|Copy as text|Download as CSV)$/;
  const sorting = await page.locator("thead button").allInnerTexts();
  const controls = page.locator("button:visible:not(.call-toggle), textarea:visible, select:visible");
  const names = await Promise.all(
    (await controls.all()).map(
      async (each) => (await each.getAttribute("aria-label")) ?? (await each.innerText()),
    ),
  );
  return names.filter((name) => !harmless.test(name.trim()) && !sorting.includes(name));
}
