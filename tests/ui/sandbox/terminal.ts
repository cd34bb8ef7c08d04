import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { openPanel } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

export function testTerminal(ui: () => UiHarness): void {
  it("runs a terminal with colours, Chinese input, Ctrl-C and exit", async () => {
    const { app, panel } = await openNew(ui(), "Terminal");
    const { page } = app;
    const screen = await readyScreen(panel);
    await enter(page, String.raw`printf '\033[31mred\033[0m \033[38;2;1;200;3mown\033[0m\n'`);
    const colour = (locator: Locator) =>
      locator.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color);
    await screen.locator(".xterm-fg-1", { hasText: /^red$/ }).waitFor();
    expect(await colour(screen.locator(".xterm-fg-1", { hasText: /^red$/ }))).not.toBe("rgb(230, 236, 236)");
    expect(await colour(screen.locator("span", { hasText: /^own$/ }))).toBe("rgb(1, 200, 3)");

    await page.keyboard.type("echo -n ");
    await compose(page, "你好");
    await page.keyboard.insertText("🙂");
    await enter(page, " | wc --chars --bytes");
    await screen.getByText(/3\s+10/).waitFor();

    await enter(page, "echo begun-$((1+1)); sleep 600");
    await screen.getByText("begun-2").waitFor();
    await page.keyboard.press("Control+c");
    await enter(page, "echo code-$?");
    await screen.getByText("code-130").waitFor();

    await enter(page, "exit");
    await panel.getByText("The terminal session has ended.").waitFor();
    await panel.getByRole("status").getByRole("button", { name: "New terminal" }).click();
    await panel.getByRole("button", { name: "Terminal 2", exact: true }).waitFor();
    await readyScreen(panel);
    expect(app.problems).toEqual([]);
  });

  it("fits the terminal to its panel, also when the window changes", async () => {
    const { app, panel } = await openNew(ui(), "Terminal");
    const screen = await readyScreen(panel);
    const tell = async (mark: string) => {
      await enter(app.page, `echo ${mark}-$(stty size | tr ' ' x)`);
      const line = screen.locator(":scope > div", { hasText: new RegExp(`^${mark}-\\d+x\\d+`) });
      await line.waitFor();
      const [, rows, cols] = /(\d+)x(\d+)/.exec(await line.innerText()) ?? [];
      return { rows: Number(rows), cols: Number(cols) };
    };
    const shownRows = () => screen.locator(":scope > div").count();
    const large = await tell("large");
    expect(large.rows).toBe(await shownRows());
    await app.page.setViewportSize({ width: 1010, height: 560 });
    await expect.poll(shownRows).toBeLessThan(large.rows);
    const small = await tell("small");
    expect(small.rows).toBe(await shownRows());
    expect(small.cols).toBeLessThan(large.cols);
    expect(app.problems).toEqual([]);
  });

  it("keeps several terminals running across a reload", async () => {
    const { app, panel } = await openNew(ui(), "Terminal");
    const { page } = app;
    await readyScreen(panel);
    await enter(page, "here=first-$((1+1)); echo $here");
    await panel.locator(".xterm-rows").getByText("first-2").waitFor();
    await panel.getByRole("button", { name: "New terminal" }).click();
    await panel.getByRole("button", { name: "Terminal 2", exact: true }).waitFor();
    const second = await readyScreen(panel);
    await enter(page, "here=second-$((1+1)); echo $here");
    await second.getByText("second-2").waitFor();
    expect(await second.getByText("first-2").count()).toBe(0);

    await page.reload();
    const again = await openPanel(app, "Terminal");
    await again.getByRole("button", { name: "Terminal 1", exact: true }).click();
    const screen = again.locator(".xterm-rows");
    await screen.getByText("first-2").waitFor();
    await enter(page, "echo still-$here");
    await screen.getByText("still-first-2").waitFor();
    await again.getByRole("button", { name: "Close Terminal 1" }).click();
    await screen.getByText("second-2").waitFor();
    expect(await again.getByRole("button", { name: "Terminal 1", exact: true }).count()).toBe(0);
    expect(app.problems).toEqual([]);
  });

  it("keeps the terminal usable under heavy output", async () => {
    const { app, panel } = await openNew(ui(), "Terminal");
    const { page } = app;
    const screen = await readyScreen(panel);
    await enter(page, "seq 1 100000; echo end-$((1+1))");
    await screen
      .getByText(/^\d{3,6}$/)
      .first()
      .waitFor();
    // The rest of the page stays responsive.
    await app.message.fill("still here");
    expect(await app.message.inputValue()).toBe("still here");
    await screen.getByText("end-2").waitFor({ timeout: 100_000 });
    expect(await screen.innerText()).toContain("100000");
    await panel.getByRole("textbox", { name: /^Terminal/ }).focus();
    await enter(page, "echo after-$((1+1))");
    await screen.getByText("after-2").waitFor();
    expect(app.problems).toEqual([]);
  });
}

async function readyScreen(panel: Locator): Promise<Locator> {
  const screen = panel.locator(".xterm-rows");
  await screen.getByText("/workspace $").first().waitFor();
  return screen;
}

async function enter(page: Page, command: string): Promise<void> {
  await page.keyboard.type(command);
  await page.keyboard.press("Enter");
}

/** Types like an input method: a composition, then its text. */
async function compose(page: Page, word: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "ni hao", selectionStart: 6, selectionEnd: 6 });
  await session.send("Input.insertText", { text: word });
  await session.detach();
}
