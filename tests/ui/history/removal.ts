import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { DeskPage } from "../../support/ui/desk-page.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";

export function describeRemoval(stage: () => Stage): void {
  describe("a thread that is deleted", () => {
    it("comes back with all that it had, when that is undone in time", async () => {
      const { desk, state } = await openUsed(stage());
      const id = desk.threadId;
      await remove(desk);
      await desk.page.getByText("What would you like to know?").waitFor();
      await entryOf(desk, id).waitFor({ state: "detached" });
      await desk.page.getByRole("button", { name: "Undo" }).click();
      await desk.page.getByText("6,218").first().waitFor();
      await entryOf(desk, id).waitFor();
      expect(desk.threadId).toBe(id);
      // The time that was left for it does not matter any more.
      await desk.page.clock.fastForward(60_000);
      expect(await state.variable("kept")).toBe("41");
      expect(desk.problems).toEqual([]);
      await stage().request("DELETE", `/thread/${desk.threadId}`);
    });

    it("is gone afterwards, with its sandbox and its files", async () => {
      const { desk, state } = await openUsed(stage());
      expect(await state.hasSandbox()).toBe(true);
      const id = desk.threadId;
      await remove(desk);
      const gone = desk.page.waitForResponse((one) => one.request().method() === "DELETE");
      await desk.page.clock.fastForward(10_000);
      expect((await gone).status()).toBe(200);
      await expect.poll(() => desk.page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      expect(await state.status()).toBe(404);
      expect(await state.hasSandbox()).toBe(false);
      const back = await desk.openAnother(`/ui#/thread/${id}`);
      await back.getByText("This thread is not there any more.").waitFor();
      expect(desk.problems).toEqual([]);
    });

    it("can be taken back from the trash, with all that it had", async () => {
      const { desk, state } = await openUsed(stage());
      const id = desk.threadId;
      await stage().request("DELETE", `/thread/${id}`);
      const other = await stage().open();
      await other.page.getByRole("button", { name: "Trash" }).click();
      const trash = other.page.getByRole("dialog", { name: "Trash" });
      const entry = trash.getByRole("listitem").filter({ hasText: "How many rows" }).first();
      await entry.getByRole("button", { name: "Take back" }).click();
      await entryOf(other, id).waitFor();
      await other.page.getByText("6,218").first().waitFor();
      await state.run("kept += 1");
      expect(await state.variable("kept")).toBe("42");
      expect(other.problems).toEqual([]);
      await stage().request("DELETE", `/thread/${id}?now=true`);
    });

    it("is gone also when its page is left before the time is over", async () => {
      const { desk, state } = await openUsed(stage());
      await remove(desk);
      await desk.page.getByRole("button", { name: "Undo" }).waitFor();
      await desk.page.goto("about:blank");
      await expect.poll(() => state.status()).toBe(404);
    });

    it("may be another than the one that is shown, which stays", async () => {
      const { desk } = await openUsed(stage());
      const shown = await stage().open();
      await shown.ask("How many columns are there?");
      const entry = entryOf(shown, desk.threadId);
      const menu = entry.locator("..").getByRole("button", { name: "More about How many rows" });
      await menu.focus();
      await menu.press("Enter");
      await shown.page.getByRole("menuitem", { name: "Delete" }).click();
      await entry.waitFor({ state: "detached" });
      await shown.page.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      await shown.page.getByRole("button", { name: "Undo" }).click();
      await entry.waitFor();
      await shown.page.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      expect(shown.problems).toEqual([]);
      await stage().request("DELETE", `/thread/${desk.threadId}`);
    });
  });
}

/** A thread with an answer and a variable; its page has a clock that can be moved. */
async function openUsed(stage: Stage): Promise<{ desk: DeskPage; state: ThreadState }> {
  const desk = await stage.open();
  await desk.page.clock.install();
  await desk.page.reload();
  await desk.message.waitFor();
  await desk.ask("How many rows are there?");
  const state = new ThreadState(stage, desk.threadId);
  await state.run("kept = 41");
  return { desk, state };
}

/** Where a thread stands in the list. */
function entryOf({ page }: DeskPage, id: string): Locator {
  return page.getByRole("navigation").locator(`a[href="#/thread/${id}"]`);
}

async function remove({ page }: DeskPage): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
}
