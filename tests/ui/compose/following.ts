import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createGate, finish, type Piece, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function testFollowing(ui: () => UiHarness): void {
  it("follows an answer until the reader scrolls up, and jumps to the latest on request", async () => {
    const { models } = ui();
    const [first, second] = [createGate(), createGate()];
    models.script(
      reply(
        paragraphs("early", 40),
        waitFor(first),
        paragraphs("middle", 40),
        waitFor(second),
        paragraphs("late", 40),
        finish("stop"),
      ),
    );
    const app = await ui().open({ model: "scripted" });
    const { page } = app;
    const answer = await app.send("Tell me a long story");
    await answer.getByText("early 39").waitFor();
    await expect.poll(() => belowView(page)).toBeLessThan(2);
    const jump = page.getByRole("button", { name: "Jump to latest" });
    expect(await jump.count()).toBe(0);

    await page.getByRole("log").hover();
    await page.mouse.wheel(0, -600);
    await jump.waitFor();
    const top = await scrollTop(page);
    first.open();
    await answer.getByText("middle 39").waitFor({ state: "attached" });
    expect(await scrollTop(page)).toBe(top);
    expect(await belowView(page)).toBeGreaterThan(600);

    await jump.click();
    await expect.poll(() => belowView(page)).toBeLessThan(2);
    await jump.waitFor({ state: "detached" });
    second.open();
    await answer.locator(".answer-foot").waitFor();
    await expect.poll(() => belowView(page)).toBeLessThan(2);
    expect(app.problems).toEqual([]);
  });

  it("stops following on Page Up and follows again on End", async () => {
    const { models } = ui();
    const gate = createGate();
    models.script(reply(paragraphs("early", 40), waitFor(gate), paragraphs("late", 40), finish("stop")));
    const app = await ui().open({ model: "scripted", width: 390, height: 700 });
    const answer = await app.send("Tell me");
    await answer.getByText("early 39").waitFor();
    await app.page.getByRole("log").focus();
    await app.page.keyboard.press("PageUp");
    const jump = app.page.getByRole("button", { name: "Jump to latest" });
    await jump.waitFor();
    await app.page.keyboard.press("End");
    await jump.waitFor({ state: "detached" });
    gate.open();
    await answer.getByText("late 39").waitFor();
    await expect.poll(() => belowView(app.page)).toBeLessThan(2);
    expect(app.problems).toEqual([]);
  });
}

function paragraphs(word: string, count: number): Piece[] {
  return Array.from({ length: count }, (_, at) => text(`${word} ${at}\n\n`));
}

function scrollTop(page: Page): Promise<number> {
  return page.getByRole("log").evaluate((element) => element.scrollTop);
}

/** How much of the conversation is below the viewport. */
function belowView(page: Page): Promise<number> {
  return page
    .getByRole("log")
    .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
}
