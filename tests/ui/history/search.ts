import type { ThreadList } from "@atoll/client";
import { beforeAll, describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";

export function describeSearch(stage: () => Stage): void {
  describe("the search", () => {
    beforeAll(async () => {
      await tell(stage(), "Which whale has a tusk?", "It is the narwhal, of the Arctic.");
      await tell(stage(), "北极有什么动物？", "有独角鲸和北极熊。");
      await tell(stage(), "Something <i lang=en>else entirely", "Nothing of note.");
    });

    it("finds words of titles", async () => {
      const desk = await stage().open();
      expect(await search(desk, "tusk")).toEqual(["Which whale has a tusk"]);
      expect(desk.problems).toEqual([]);
    });

    it("finds what was said, and shows where", async () => {
      const desk = await stage().open();
      expect(await search(desk, "narwhal")).toEqual(["Which whale has a tusk"]);
      const snippet = desk.page.locator(".snippet");
      expect(await snippet.innerText()).toContain("narwhal, of the Arctic");
      expect(await snippet.locator("mark").allInnerTexts()).toEqual(["narwhal"]);
      expect(desk.problems).toEqual([]);
    });

    it("finds Chinese words, in titles and in answers", async () => {
      const desk = await stage().open({ language: "zh" });
      expect(await search(desk, "动物")).toEqual(["北极有什么动物"]);
      expect(await search(desk, "独角鲸")).toEqual(["北极有什么动物"]);
      expect(await desk.page.locator(".snippet mark").allInnerTexts()).toEqual(["独角鲸"]);
      expect(desk.problems).toEqual([]);
    });

    it("is not needed for old threads: the list has more when asked", async () => {
      const { threads } = (await stage().request("GET", "/threads?limit=100")) as ThreadList;
      const at = threads.findLastIndex(({ message_count: count }) => count > 0);
      const desk = await stage().open();
      const { page } = desk;
      // As if the first page of the list had no room for the eldest.
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
      expect(desk.problems).toEqual([]);
    });

    it("shows titles as they are written, and says when there is nothing", async () => {
      const desk = await stage().open();
      expect(await search(desk, "<i lang=en>else")).toEqual(["Something <i lang=en else entirely"]);
      await search(desk, "zebra crossing");
      await desk.page.getByText("Nothing found.").waitFor();
      expect(desk.problems).toEqual([]);
    });

    it("is reached with Ctrl+K, opens what it finds, and Esc ends it", async () => {
      const desk = await stage().open({ width: 700 });
      await desk.page.keyboard.press("Control+k");
      await desk.page.keyboard.type("narwhal");
      const found = desk.page.getByRole("link", { name: "Which whale has a tusk" });
      // While it is being typed, others are found too.
      const snippets = desk.page.locator(".snippet");
      await expect.poll(() => snippets.allInnerTexts()).toEqual([expect.stringContaining("narwhal")]);
      await found.click();
      await desk.page.getByText("It is the narwhal").waitFor();
      await desk.page.keyboard.press("Control+k");
      await desk.page.keyboard.type("narwhal");
      await expect.poll(() => snippets.count()).toBe(1);
      await desk.page.keyboard.press("Escape");
      await desk.page.getByRole("heading", { name: "Today" }).waitFor();
      expect(desk.problems).toEqual([]);
    });
  });
}

/** The titles of what is found. */
async function search(desk: DeskPage, words: string): Promise<string[]> {
  const answered = desk.page.waitForResponse((one) => new URL(one.url()).searchParams.get("query") === words);
  await desk.page.getByRole("searchbox").fill(words);
  const { threads } = (await (await answered).json()) as { threads: unknown[] };
  const links = desk.page.getByRole("navigation").getByRole("link");
  await expect.poll(() => links.count()).toBe(threads.length);
  return links.allInnerTexts();
}

async function tell(stage: Stage, message: string, words: string): Promise<void> {
  stage.models.script(say(words));
  const { thread_id: id } = await stage.request("POST", "/thread/new", { model: "openai:scripted" });
  await stage.request("POST", `/thread/${String(id)}/message`, { message });
}
