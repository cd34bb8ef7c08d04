import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createGate, finish, reply, text, waitFor } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

const words = Array.from({ length: 600 }, (_, at) => `w${at}`);

export function testReload(ui: () => UiHarness): void {
  it("shows every word once after a reload and in a second tab during an answer", async () => {
    const { models } = ui();
    const gate = createGate();
    const say = (some: string[]) => some.map((word) => text(`${word} `));
    models.script(reply(say(words.slice(0, 300)), waitFor(gate), say(words.slice(300)), finish("stop")));
    const app = await ui().open({ model: "scripted" });
    await app.send("Count");
    await expect.poll(() => said(app.page)).toEqual(words.slice(0, 300));

    await app.page.reload();
    await expect.poll(() => said(app.page)).toEqual(words.slice(0, 300));
    const other = await app.openAnother(`/ui#/thread/${app.threadId}`);
    await expect.poll(() => said(other)).toEqual(words.slice(0, 300));
    await other.getByRole("button", { name: "Stop" }).waitFor();

    gate.open();
    for (const page of [app.page, other]) {
      await page.locator(".answer-foot").waitFor();
      expect(await said(page)).toEqual(words);
    }
    await app.page.reload();
    await expect.poll(() => said(app.page)).toEqual(words);
    expect(app.problems).toEqual([]);
  });

  it("shows the analyst's whole answer whenever the page is reloaded", async () => {
    const app = await ui().open();
    const sent = app.page.waitForResponse((response) => response.url().endsWith("/messages"));
    await app.message.fill("Show the monthly trend of amount");
    await app.message.press("Enter");
    await sent;
    await app.page.reload();
    await app.page.locator(".answer-foot").waitFor();
    const { messages } = (await ui().request("GET", `/thread/${app.threadId}/history`)) as {
      messages: { role: string; content: string }[];
    };
    const stored = messages.find(({ role }) => role === "assistant")?.content ?? "";
    expect(lettersOf(stored)).not.toBe("");
    const shown = async () => lettersOf((await said(app.page)).join(" "));
    await expect.poll(shown).toBe(lettersOf(stored));
    await app.page.locator(".answer figure img").first().waitFor();
    expect(await app.page.getByRole("article", { name: "You" }).count()).toBe(1);
    expect(app.problems).toEqual([]);
  });
}

async function said(page: Page): Promise<string[]> {
  const texts = await page.locator(".answer .prose").allInnerTexts();
  return texts
    .join(" ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Without spaces and formatting characters. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "");
}
