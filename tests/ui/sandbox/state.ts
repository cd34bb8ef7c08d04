import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { openPanel } from "../../support/ui/test-thread.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openNew } from "./sandbox.harness.ts";

export function testState(ui: () => UiHarness): void {
  it("shows hot and cold, the wake time, and what a wake restored and lost", async () => {
    const { thread, app, panel } = await openNew(ui(), "Sandbox");
    await thread.run(
      "kept = 42\nimport threading\nlock = threading.Lock()\nopen('file.txt', 'w').write('stays')",
    );
    const badge = (state: string) => app.page.getByRole("button", { name: new RegExp(`^Sandbox: ${state}`) });
    await badge("hot").waitFor();
    await panel.getByRole("button", { name: "Suspend" }).click();
    await badge("cold").waitFor();
    await panel.getByText("Its files and variables are on disk. The next use restores them.").waitFor();
    expect(await panel.getByRole("group", { name: /Memory/ }).count()).toBe(0);
    await panel.getByRole("button", { name: "Wake" }).click();
    await badge("hot").waitFor();
    const told = panel.locator(".notice", { hasText: "The sandbox was restored" });
    await told.waitFor();
    expect(await told.innerText()).toMatch(/its files and \d+ variables?\. Lost: lock\./);
    // The wake time is known now.
    await panel.getByRole("button", { name: "Suspend" }).click();
    await badge("cold").waitFor();
    await panel.getByText(/Waking takes about [\d.]+ (ms|s)\./).waitFor();
    expect(await badge("cold").getAttribute("aria-label")).toMatch(
      /^Sandbox: cold\. .* Waking takes about [\d.]+ (ms|s)\.$/,
    );
    await thread.run("assert kept == 42 and open('file.txt').read() == 'stays'");
    await badge("hot").waitFor();
    expect(app.problems).toEqual([]);
  });

  it("opens the sandbox panel from the badge, and says what survived", async () => {
    const { thread, app } = await openNew(ui(), "Files");
    await app.ask("What are the top 5 categories by spend?");
    await thread.client.threads.suspend(thread.id);
    await app.ask("Show me monthly trends");
    await app.page.getByRole("button", { name: /^Sandbox: / }).click();
    const panel = app.page.getByRole("tabpanel", { name: "Sandbox" });
    await panel.getByText(/The sandbox was restored with its files and \d+ variables?\./).waitFor();
    expect(app.problems).toEqual([]);
  });

  it("draws processor, memory and disk as moving lines", async () => {
    const { thread, app, panel } = await openNew(ui(), "Sandbox");
    await thread.run("pass");
    const meter = (name: RegExp) => panel.getByRole("group", { name });
    for (const name of [/^Processor: \d+ %$/, /^Memory: .* MB \/ 1\.1 GB$/, /^Disk: .* \/ 2\.1 GB$/])
      await meter(name).waitFor();
    const points = async (name: RegExp) =>
      ((await meter(name).locator("polyline").getAttribute("points")) ?? "").split(" ").length;
    await expect.poll(() => points(/^Memory/)).toBeGreaterThan(2);
    const before = { memory: await amount(meter(/^Memory/)), disk: await amount(meter(/^Disk/)) };
    await thread.run(`
block = bytearray(200_000_000)
block[::4096] = b"x" * len(block[::4096])
open("/workspace/big.bin", "wb").write(bytes(50_000_000))
import time
until = time.monotonic() + 4
while time.monotonic() < until: pass`);
    await expect.poll(async () => (await amount(meter(/^Memory/))) - before.memory).toBeGreaterThan(150);
    await expect.poll(async () => (await amount(meter(/^Disk/))) - before.disk).toBeGreaterThan(45);
    // Seconds of work show in the line: its highest point is far above its lowest.
    await expect
      .poll(async () => {
        const drawn =
          (await meter(/^Processor/)
            .locator("polyline")
            .getAttribute("points")) ?? "";
        const heights = drawn.split(" ").map((point) => Number(point.split(",")[1]));
        return Math.max(...heights) - Math.min(...heights);
      })
      .toBeGreaterThan(10);
    expect(app.problems).toEqual([]);
  });

  it("shows the sandbox panel on a phone, in Chinese", async () => {
    const { thread, app } = await openNew(ui(), "Files", { width: 390, height: 780 });
    await thread.run("pass");
    await app.page.getByRole("button", { name: "Hide files and sandbox" }).last().click();
    await app.page.getByRole("button", { name: "Language: 中文" }).click();
    await app.page.getByRole("button", { name: /^沙箱: 运行/ }).click();
    const panel = app.page.getByRole("tabpanel", { name: "沙箱" });
    await panel.getByRole("button", { name: "休眠" }).click();
    await panel.getByRole("button", { name: "唤醒" }).waitFor();
    const width = await app.page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBe(390);
    expect(app.problems).toEqual([]);
  });

  it("moves between panels with the arrow keys", async () => {
    const { app } = await openNew(ui(), "Files");
    const tab = app.page.getByRole("tab", { name: "Files" });
    await tab.focus();
    await app.page.keyboard.press("ArrowRight");
    await app.page.getByRole("tabpanel", { name: "Results" }).waitFor();
    await app.page.keyboard.press("ArrowLeft");
    await app.page.keyboard.press("ArrowLeft");
    await app.page.getByRole("tabpanel", { name: "Ports" }).waitFor();
    await openPanel(app, "Files");
    expect(app.problems).toEqual([]);
  });
}

/** In megabytes. */
async function amount(meter: Locator): Promise<number> {
  const [, number = "", unit = ""] =
    /: ([\d.,]+) (kB|MB|GB)/.exec((await meter.getAttribute("aria-label")) ?? "") ?? [];
  return Number(number.replaceAll(",", "")) * ({ kB: 1e-3, MB: 1, GB: 1e3 }[unit] ?? Number.NaN);
}
