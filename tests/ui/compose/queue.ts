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
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function testQueue(ui: () => UiHarness): void {
  it("queues messages in order while one is answered, and edits or withdraws them in any tab", async () => {
    const { models } = ui();
    const gate = createGate();
    models.script(reply(text("One."), waitFor(gate), finish("stop")));
    models.always(say("Next."));
    const before = models.requests.length;
    const app = await ui().open({ model: "scripted" });
    const first = await app.send("one");
    await first.getByText("One.").waitFor();
    for (const question of ["two", "three", "four"]) await app.send(question);
    await expect.poll(() => waiting(app.page)).toEqual(["two", "three", "four"]);

    const other = await app.openAnother(`/ui#/thread/${app.threadId}`);
    await expect.poll(() => waiting(other)).toEqual(["two", "three", "four"]);
    await entry(other, "three").getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => waiting(app.page)).toEqual(["two", "four"]);

    await app.message.fill("half written");
    await entry(app.page, "two").getByRole("button", { name: "Edit" }).click();
    await expect.poll(() => app.message.inputValue()).toBe("two\n\nhalf written");
    await app.message.fill("two, in other words");
    await app.message.press("Enter");
    await expect.poll(() => waiting(other)).toEqual(["four", "two, in other words"]);

    // ↑ edits the last message, which is still queued.
    await app.message.press("ArrowUp");
    await expect.poll(() => app.message.inputValue()).toBe("two, in other words");
    await expect.poll(() => waiting(app.page)).toEqual(["four"]);
    const last = await app.send("five");
    gate.open();
    await last.locator(".answer-foot").waitFor();
    expect(await waiting(app.page)).toEqual([]);
    const asked = models.requests
      .slice(before)
      .filter(({ body }) => body.tools !== undefined)
      .map(({ body }) => body.messages.findLast(({ role }) => role === "user")?.content ?? "");
    expect(asked.map((words) => /\w+$/.exec(words.trim())?.[0])).toEqual(["one", "four", "five"]);
    expect(app.problems).toEqual([]);
  });
}

function waiting(page: Page): Promise<string[]> {
  return page
    .getByRole("article", { name: "You" })
    .filter({ hasText: "Queued" })
    .locator(".bubble")
    .allInnerTexts();
}

function entry(page: Page, question: string) {
  return page
    .getByRole("article", { name: "You" })
    .filter({ has: page.locator(".bubble", { hasText: new RegExp(`^${question}$`) }) });
}
