import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

export function testBrowser(ui: () => UiHarness): void {
  it("shows the browser live, and lets the user take over, click, type and hand back", async () => {
    const thread = { network: { allow: ["site.test"] } };
    const { thread: opened, app, panel } = await openNew(ui(), "Browser", { thread });
    const { page } = app;
    await panel.getByText("No browser is running. Enter an address to start one.").waitFor();
    const address = panel.getByRole("textbox", { name: "Address" });
    await address.fill("http://site.test/");
    await address.press("Enter");
    const picture = (title: string) => panel.getByRole("img", { name: `Browser page: ${title}` });
    await picture("Ready").waitFor();
    await expect.poll(() => address.inputValue()).toBe("http://site.test/");

    // Watching does not click.
    const surface = panel.getByRole("textbox", { name: "Browser page" });
    expect(await surface.count()).toBe(0);
    await panel.getByRole("button", { name: "Take over" }).click();
    const box = await surface.boundingBox();
    if (!box) throw new Error("there is nothing to click on");
    const upper = { x: box.width / 2, y: box.height / 4 };
    const lower = { x: box.width / 2, y: (box.height * 3) / 4 };
    await surface.click({ position: upper });
    await page.keyboard.type("Ann ");
    await page.keyboard.insertText("你好");
    await page.keyboard.press("Enter");
    await picture("Entered: Ann 你好").waitFor();
    await page.keyboard.press("Backspace");
    await surface.click({ position: lower });
    await picture("Said: Ann 你").waitFor();

    // The model's tools use the same browser.
    await opened.client.browsers.use(opened.id, { type: "navigate", url: "http://site.test/other" });
    await picture("Another page").waitFor();
    await panel.getByRole("button", { name: "Back", exact: true }).click();
    await picture("Ready").or(picture("Said: Ann 你")).waitFor();
    await panel.getByRole("button", { name: "Hand back" }).click();
    await surface.waitFor({ state: "detached" });
    await panel.getByText("You are watching. Take over to click and type.").waitFor();
    expect(app.problems).toEqual([]);
  });

  it("opens, selects and closes browser tabs", async () => {
    const thread = { network: { allow: ["site.test"] } };
    const { app, panel } = await openNew(ui(), "Browser", { thread });
    const address = panel.getByRole("textbox", { name: "Address" });
    await address.fill("http://site.test/");
    await panel.getByRole("button", { name: "Go" }).click();
    const tabs = panel.getByRole("list", { name: "Browser tabs" });
    await tabs.getByRole("button", { name: "Ready", exact: true }).waitFor();
    await tabs.getByRole("button", { name: "New tab" }).last().click();
    await expect.poll(() => tabs.getByRole("listitem").count()).toBe(3);
    await tabs.getByRole("button", { name: "Ready", exact: true }).click();
    await panel.getByRole("img", { name: "Browser page: Ready" }).waitFor();
    await tabs.getByRole("button", { name: "Close Ready" }).click();
    await expect.poll(() => tabs.getByRole("listitem").count()).toBe(2);
    expect(app.problems).toEqual([]);
  });
}
