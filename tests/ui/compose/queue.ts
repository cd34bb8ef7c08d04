import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  reply,
  text,
  waitFor,
} from "../../support/scripted-openai/index.ts";
import type { Stage } from "../../support/ui/stage.ts";

export function testQueue(stage: () => Stage): void {
  it("messages sent while one is answered wait in order; each can be edited or taken back, in any tab", async () => {
    const { models } = stage();
    const gate = createGate();
    models.script(reply(text("One."), waitFor(gate), finish("stop")));
    models.always(say("Next."));
    const before = models.requests.length;
    const desk = await stage().open({ model: "scripted" });
    const first = await desk.send("one");
    await first.getByText("One.").waitFor();
    for (const question of ["two", "three", "four"]) await desk.send(question);
    await expect.poll(() => waiting(desk.page)).toEqual(["two", "three", "four"]);

    const other = await desk.openAnother(`/ui#/thread/${desk.threadId}`);
    await expect.poll(() => waiting(other)).toEqual(["two", "three", "four"]);
    await entry(other, "three").getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => waiting(desk.page)).toEqual(["two", "four"]);

    await desk.message.fill("half written");
    await entry(desk.page, "two").getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => desk.message.inputValue()).toBe("two\n\nhalf written");
    await desk.message.fill("two, in other words");
    await desk.message.press("Enter");
    await expect.poll(() => waiting(other)).toEqual(["four", "two, in other words"]);

    // ↑ edits the last one, which still waits.
    await desk.message.press("ArrowUp");
    await expect.poll(() => desk.message.inputValue()).toBe("two, in other words");
    await expect.poll(() => waiting(desk.page)).toEqual(["four"]);
    const last = await desk.send("five");
    gate.open();
    await last.locator(".answer-foot").waitFor();
    expect(await waiting(desk.page)).toEqual([]);
    const asked = models.requests
      .slice(before)
      .filter(({ body }) => body.tools !== undefined)
      .map(({ body }) => body.messages.findLast(({ role }) => role === "user")?.content ?? "");
    expect(asked.map((words) => /\w+$/.exec(words.trim())?.[0])).toEqual(["one", "four", "five"]);
    expect(desk.problems).toEqual([]);
  });
}

function waiting(page: Page): Promise<string[]> {
  return page
    .getByRole("article", { name: "You" })
    .filter({ hasText: "Waits for its turn" })
    .locator(".bubble")
    .allInnerTexts();
}

function entry(page: Page, question: string) {
  return page
    .getByRole("article", { name: "You" })
    .filter({ has: page.locator(".bubble", { hasText: new RegExp(`^${question}$`) }) });
}
