import type { ThreadList } from "@atoll/client";
import { beforeAll, describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describeSearch(ui: () => UiHarness): void {
  describe("the search", () => {
    beforeAll(async () => {
      await tell(ui(), "Which whale has a tusk?", "It is the narwhal, of the Arctic.");
      await tell(ui(), "北极有什么动物？", "有独角鲸和北极熊。");
      await tell(ui(), "Something <i lang=en>else entirely", "Nothing of note.");
    });

    it("finds words in titles", async () => {
      const app = await ui().open();
      expect(await search(app, "tusk")).toEqual(["Which whale has a tusk"]);
      expect(app.problems).toEqual([]);
    });

    it("finds words of the conversation and shows them in context", async () => {
      const app = await ui().open();
      expect(await search(app, "narwhal")).toEqual(["Which whale has a tusk"]);
      const snippet = app.page.locator(".snippet");
      expect(await snippet.innerText()).toContain("narwhal, of the Arctic");
      expect(await snippet.locator("mark").allInnerTexts()).toEqual(["narwhal"]);
      expect(app.problems).toEqual([]);
    });

    it("finds Chinese words, in titles and in answers", async () => {
      const app = await ui().open({ language: "zh" });
      expect(await search(app, "动物")).toEqual(["北极有什么动物"]);
      expect(await search(app, "独角鲸")).toEqual(["北极有什么动物"]);
      expect(await app.page.locator(".snippet mark").allInnerTexts()).toEqual(["独角鲸"]);
      expect(app.problems).toEqual([]);
    });

    it("lists older threads on request", async () => {
      const { threads } = (await ui().request("GET", "/threads?limit=100")) as ThreadList;
      const at = threads.findLastIndex(({ message_count: count }) => count > 0);
      const app = await ui().open();
      const { page } = app;
      // Makes the first page too short for the oldest thread.
      await page.route("**/threads?*", (route) =>
        route.continue({ url: route.request().url().replace("limit=100", `limit=${at}`) }),
      );
      await page.reload();
      const more = page.getByRole("button", { name: "Show older threads" });
      await more.waitFor();
      const eldest = page.locator(`nav a[href$="${threads[at]?.thread_id}"]`);
      expect(await eldest.count()).toBe(0);
      await more.click();
      await eldest.waitFor();
      expect(app.problems).toEqual([]);
    });

    it("shows titles as text, and says if nothing is found", async () => {
      const app = await ui().open();
      expect(await search(app, "<i lang=en>else")).toEqual(["Something <i lang=en else entirely"]);
      await search(app, "zebra crossing");
      await app.page.getByText("Nothing found.").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("opens search with Ctrl+K and closes it with Esc", async () => {
      const app = await ui().open({ width: 700 });
      await app.page.keyboard.press("Control+k");
      await app.page.keyboard.type("narwhal");
      const found = app.page.getByRole("link", { name: "Which whale has a tusk" });
      // While typing, other threads match too.
      const snippets = app.page.locator(".snippet");
      await expect.poll(() => snippets.allInnerTexts()).toEqual([expect.stringContaining("narwhal")]);
      await found.click();
      await app.page.getByText("It is the narwhal").waitFor();
      await app.page.keyboard.press("Control+k");
      await app.page.keyboard.type("narwhal");
      await expect.poll(() => snippets.count()).toBe(1);
      await app.page.keyboard.press("Escape");
      await app.page.getByRole("heading", { name: "Today" }).waitFor();
      expect(app.problems).toEqual([]);
    });
  });
}

/** The titles of the threads found. */
async function search(app: AppPage, words: string): Promise<string[]> {
  const answered = app.page.waitForResponse((one) => new URL(one.url()).searchParams.get("query") === words);
  await app.page.getByRole("searchbox").fill(words);
  const { threads } = (await (await answered).json()) as { threads: unknown[] };
  const links = app.page.getByRole("navigation").getByRole("link");
  await expect.poll(() => links.count()).toBe(threads.length);
  return links.allInnerTexts();
}

async function tell(ui: UiHarness, message: string, words: string): Promise<void> {
  ui.models.script(say(words));
  const { thread_id: id } = await ui.request("POST", "/thread/new", { model: "openai:scripted" });
  await ui.request("POST", `/thread/${String(id)}/message`, { message });
}
