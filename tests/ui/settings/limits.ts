import { describe, expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";
import { openSettings } from "./settings.harness.ts";

const GIB = 1024 ** 3;

export function describeLimits(ui: () => UiHarness): void {
  describe("limits", () => {
    it("changes limits up to the server's maximum, and restarts the sandbox with its state", async () => {
      const app = await ui().open();
      await app.ask("How many rows are there?");
      const state = new ThreadState(ui(), app.threadId);
      await state.run("kept = 'still here'");
      const settings = await openSettings(app.page);
      const memory = settings.getByLabel("Memory");
      expect(await memory.inputValue()).toBe("1");
      await settings.getByText("0.125 to 2 GiB").waitFor();

      await memory.fill("1.5");
      await memory.press("Enter");
      await settings.getByText("Saved.").waitFor();
      await settings.getByText("The running sandbox still has its old limits.").waitFor();
      expect(await running(ui(), app.threadId)).toBe(GIB);
      await settings.getByRole("button", { name: "Restart it now" }).click();
      await settings
        .getByText("The running sandbox still has its old limits.")
        .waitFor({ state: "detached" });
      expect(await running(ui(), app.threadId)).toBe(1.5 * GIB);
      expect(await state.variable("kept")).toBe("'still here'");
      expect(app.problems).toEqual([]);
    });

    it("does not send limits that are invalid or beyond the maximum", async () => {
      const app = await ui().open();
      const settings = await openSettings(app.page);
      const changes: string[] = [];
      app.page.on("request", (request) => request.method() === "PATCH" && changes.push(request.url()));
      const memory = settings.getByLabel("Memory");
      for (const text of ["64", "0", ""]) {
        await memory.fill(text);
        await memory.press("Enter");
        expect(await memory.getAttribute("aria-invalid"), text).toBe("true");
      }
      const time = settings.getByLabel("Time per run");
      await time.fill("30");
      await time.press("Tab");
      await settings.getByText("Saved.").waitFor();
      expect(changes).toHaveLength(1);
      const { limits } = await ui().request("GET", `/thread/${app.threadId}`);
      expect(limits).toMatchObject({ memory_bytes: GIB, timeout_ms: 30_000 });
      expect(app.problems).toEqual([]);
    });
  });
}

/** The memory that the thread's sandbox runs with. */
async function running(ui: UiHarness, id: string): Promise<number> {
  const { limits } = (await ui.request("GET", `/thread/${id}/status`)) as {
    limits: { memory_bytes: number };
  };
  return limits.memory_bytes;
}
