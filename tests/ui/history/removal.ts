import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { AppPage } from "../../support/ui/app-page.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";

export function describeRemoval(ui: () => UiHarness): void {
  describe("a thread that is deleted", () => {
    it("restores a deleted thread completely if the deletion is undone", async () => {
      const { app, state } = await openUsed(ui());
      const id = app.threadId;
      await remove(app);
      await app.page.getByText("What would you like to know?").waitFor();
      await entryOf(app, id).waitFor({ state: "detached" });
      await app.page.getByRole("button", { name: "Undo" }).click();
      await app.page.getByText("6,218").first().waitFor();
      await entryOf(app, id).waitFor();
      expect(app.threadId).toBe(id);
      // The deletion does not run later either.
      await app.page.clock.fastForward(60_000);
      expect(await state.variable("kept")).toBe("41");
      expect(app.problems).toEqual([]);
      await ui().request("DELETE", `/thread/${app.threadId}`);
    });

    it("deletes a thread with its sandbox and files", async () => {
      const { app, state } = await openUsed(ui());
      expect(await state.hasSandbox()).toBe(true);
      const id = app.threadId;
      await remove(app);
      const gone = app.page.waitForResponse((one) => one.request().method() === "DELETE");
      await app.page.clock.fastForward(10_000);
      expect((await gone).status()).toBe(200);
      await expect.poll(() => app.page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      expect(await state.status()).toBe(404);
      expect(await state.hasSandbox()).toBe(false);
      const back = await app.openAnother(`/ui#/thread/${id}`);
      await back.getByText("This thread no longer exists.").waitFor();
      expect(app.problems).toEqual([]);
    });

    it("restores a thread from the trash completely", async () => {
      const { app, state } = await openUsed(ui());
      const id = app.threadId;
      await ui().request("DELETE", `/thread/${id}`);
      const other = await ui().open();
      await other.page.getByRole("button", { name: "Trash" }).click();
      const trash = other.page.getByRole("dialog", { name: "Trash" });
      const entry = trash.getByRole("listitem").filter({ hasText: "How many rows" }).first();
      await entry.getByRole("button", { name: "Restore" }).click();
      await entryOf(other, id).waitFor();
      await other.page.getByText("6,218").first().waitFor();
      await state.run("kept += 1");
      expect(await state.variable("kept")).toBe("42");
      expect(other.problems).toEqual([]);
      await ui().request("DELETE", `/thread/${id}?now=true`);
    });

    it("deletes a thread even if its page is closed before the time to undo ends", async () => {
      const { app, state } = await openUsed(ui());
      await remove(app);
      await app.page.getByRole("button", { name: "Undo" }).waitFor();
      await app.page.goto("about:blank");
      await expect.poll(() => state.status()).toBe(404);
    });

    it("deletes another thread than the one shown", async () => {
      const { app } = await openUsed(ui());
      const shown = await ui().open();
      await shown.ask("How many columns are there?");
      const entry = entryOf(shown, app.threadId);
      const menu = entry.locator("..").getByRole("button", { name: "More actions for How many rows" });
      await menu.focus();
      await menu.press("Enter");
      await shown.page.getByRole("menuitem", { name: "Delete" }).click();
      await entry.waitFor({ state: "detached" });
      await shown.page.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      await shown.page.getByRole("button", { name: "Undo" }).click();
      await entry.waitFor();
      await shown.page.getByRole("heading", { level: 1, name: "How many columns" }).waitFor();
      expect(shown.problems).toEqual([]);
      await ui().request("DELETE", `/thread/${app.threadId}`);
    });
  });
}

/** A thread with an answer and a variable, in a page with a fake clock. */
async function openUsed(ui: UiHarness): Promise<{ app: AppPage; state: ThreadState }> {
  const app = await ui.open();
  await app.page.clock.install();
  await app.page.reload();
  await app.message.waitFor();
  await app.ask("How many rows are there?");
  const state = new ThreadState(ui, app.threadId);
  await state.run("kept = 41");
  return { app, state };
}

/** A thread's entry in the list. */
function entryOf({ page }: AppPage, id: string): Locator {
  return page.getByRole("navigation").locator(`a[href="#/thread/${id}"]`);
}

async function remove({ page }: AppPage): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
}
