import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createGate, finish, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import type { Stage } from "../../support/ui/stage.ts";

const words = Array.from({ length: 600 }, (_, at) => `w${at}`);

export function testReload(stage: () => Stage): void {
  it("a reload and a second tab in mid-answer show every word once, and go on", async () => {
    const { models } = stage();
    const gate = createGate();
    const say = (some: string[]) => some.map((word) => text(`${word} `));
    models.script(reply(say(words.slice(0, 300)), waitFor(gate), say(words.slice(300)), finish("stop")));
    const desk = await stage().open({ model: "scripted" });
    await desk.send("Count");
    await expect.poll(() => said(desk.page)).toEqual(words.slice(0, 300));

    await desk.page.reload();
    await expect.poll(() => said(desk.page)).toEqual(words.slice(0, 300));
    const other = await desk.openAnother(`/ui#/thread/${desk.threadId}`);
    await expect.poll(() => said(other)).toEqual(words.slice(0, 300));
    await other.getByRole("button", { name: "Stop" }).waitFor();

    gate.open();
    for (const page of [desk.page, other]) {
      await page.locator(".answer-foot").waitFor();
      expect(await said(page)).toEqual(words);
    }
    await desk.page.reload();
    await expect.poll(() => said(desk.page)).toEqual(words);
    expect(desk.problems).toEqual([]);
  });

  it("an answer of the built-in analyst is whole, whenever the page is loaded again", async () => {
    const desk = await stage().open();
    const sent = desk.page.waitForResponse((response) => response.url().endsWith("/messages"));
    await desk.message.fill("Show the monthly trend of amount");
    await desk.message.press("Enter");
    await sent;
    await desk.page.reload();
    await desk.page.locator(".answer-foot").waitFor();
    const { messages } = (await stage().request("GET", `/thread/${desk.threadId}/history`)) as {
      messages: { role: string; content: string }[];
    };
    const stored = messages.find(({ role }) => role === "assistant")?.content ?? "";
    expect(lettersOf(stored)).not.toBe("");
    const shown = async () => lettersOf((await said(desk.page)).join(" "));
    await expect.poll(shown).toBe(lettersOf(stored));
    await desk.page.locator(".answer figure img").first().waitFor();
    expect(await desk.page.getByRole("article", { name: "You" }).count()).toBe(1);
    expect(desk.problems).toEqual([]);
  });
}

async function said(page: Page): Promise<string[]> {
  const texts = await page.locator(".answer .prose").allInnerTexts();
  return texts
    .join(" ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Without spaces and the signs that format. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "");
}
