import { describe, expect, it } from "vitest";
import type { Stage } from "../../support/ui/stage.ts";
import { ThreadState } from "../../support/ui/thread-state.ts";
import { openSettings } from "./open-settings.ts";

const GIB = 1024 ** 3;

export function describeLimits(stage: () => Stage): void {
  describe("limits", () => {
    it("are changed up to the server's most, and a running sandbox is started anew with what it had", async () => {
      const desk = await stage().open();
      await desk.ask("How many rows are there?");
      const state = new ThreadState(stage(), desk.threadId);
      await state.run("kept = 'still here'");
      const settings = await openSettings(desk.page);
      const memory = settings.getByLabel("Memory");
      expect(await memory.inputValue()).toBe("1");
      await settings.getByText("0.125 to 2 GiB").waitFor();

      await memory.fill("1.5");
      await memory.press("Enter");
      await settings.getByText("Saved.").waitFor();
      await settings.getByText("The sandbox runs with the limits it started with.").waitFor();
      expect(await running(stage(), desk.threadId)).toBe(GIB);
      await settings.getByRole("button", { name: "Start it anew now" }).click();
      await settings
        .getByText("The sandbox runs with the limits it started with.")
        .waitFor({ state: "detached" });
      expect(await running(stage(), desk.threadId)).toBe(1.5 * GIB);
      expect(await state.variable("kept")).toBe("'still here'");
      expect(desk.problems).toEqual([]);
    });

    it("beyond the server's most, or no number at all, are not sent", async () => {
      const desk = await stage().open();
      const settings = await openSettings(desk.page);
      const changes: string[] = [];
      desk.page.on("request", (request) => request.method() === "PATCH" && changes.push(request.url()));
      const memory = settings.getByLabel("Memory");
      for (const text of ["64", "0", ""]) {
        await memory.fill(text);
        await memory.press("Enter");
        expect(await memory.getAttribute("aria-invalid"), text).toBe("true");
      }
      const time = settings.getByLabel("Time of a run");
      await time.fill("30");
      await time.press("Tab");
      await settings.getByText("Saved.").waitFor();
      expect(changes).toHaveLength(1);
      const { limits } = await stage().request("GET", `/thread/${desk.threadId}`);
      expect(limits).toMatchObject({ memory_bytes: GIB, timeout_ms: 30_000 });
      expect(desk.problems).toEqual([]);
    });
  });
}

/** The memory that the thread's sandbox runs with. */
async function running(stage: Stage, id: string): Promise<number> {
  const { limits } = (await stage.request("GET", `/thread/${id}/status`)) as {
    limits: { memory_bytes: number };
  };
  return limits.memory_bytes;
}
