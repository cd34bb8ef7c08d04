import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCode } from "./answers.harness.ts";

const PLOTS = `
import matplotlib.pyplot as plt
for kind in ("plot", "bar", "scatter"):
    getattr(plt, kind)([1, 2, 3], [2, 6, 3])
    plt.title(kind)
    plt.show()
`;

export function testPictures(ui: () => UiHarness): void {
  it("shows every plot of a run, enlarges it and saves it as PNG", async () => {
    const app = await ui().open();
    const answer = await runCode(ui(), app, PLOTS);
    const pictures = answer.getByRole("figure");
    await expect.poll(() => pictures.count()).toBe(3);
    const sources = await pictures
      .locator("button img")
      .evaluateAll((images) => images.map((image) => Reflect.get(image, "src")));
    expect(new Set(sources).size).toBe(3);

    const second = pictures.nth(1);
    const small = second.getByRole("button", { name: "Enlarge" }).first();
    await small.click();
    const large = app.page.getByRole("dialog", { name: "Image" });
    await large.waitFor();
    const wide = await large.getByRole("img").boundingBox();
    expect(wide?.width ?? 0).toBeGreaterThan((await small.boundingBox())?.width ?? Infinity);
    await app.page.keyboard.press("Escape");
    await large.waitFor({ state: "hidden" });
    expect(await small.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);

    const file = await save(app.page, () => second.getByRole("link", { name: "Save as PNG" }).click());
    expect(file.suggestedFilename()).toMatch(/^plot-[\da-f]{8}\.png$/);
    expect(await isPng(file)).toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("shows and saves the built-in analyst's chart, on a phone too", async () => {
    const app = await ui().open({ width: 390, height: 800 });
    const answer = await app.ask("Show the monthly trend of amount");
    const image = answer.getByRole("figure").getByRole("button", { name: "Enlarge" }).first();
    await image.scrollIntoViewIfNeeded();
    const box = await image.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(390);
    const link = answer.getByRole("link", { name: "Save as PNG" }).first();
    expect(await isPng(await save(app.page, () => link.click()))).toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("saves an SVG as PNG without running its scripts", async () => {
    const app = await ui().open();
    const answer = await runCode(
      ui(),
      app,
      `open("/workspace/drawing.svg", "w").write('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" onload="alert(1)"><script>alert(2)</script><rect width="60" height="40" fill="red"/></svg>')`,
    );
    let alerts = 0;
    app.page.on("dialog", (dialog) => {
      alerts += 1;
      void dialog.dismiss();
    });
    const picture = answer.getByRole("figure");
    await expect
      .poll(() =>
        picture
          .locator("img")
          .first()
          .evaluate((image) => Number(Reflect.get(image, "naturalWidth"))),
      )
      .toBe(60);
    const file = await save(app.page, () => picture.getByRole("button", { name: "Save as PNG" }).click());
    expect(file.suggestedFilename()).toBe("drawing.png");
    expect(await isPng(file)).toBe(true);
    expect(alerts).toBe(0);
    expect(app.problems).toEqual([]);
  });
}

export async function save(page: Page, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return download;
}

export async function isPng(file: Download): Promise<boolean> {
  const content = await readFile(await file.path());
  return content.length > 100 && content.subarray(0, 8).toString("latin1") === "\u0089PNG\r\n\u001A\n";
}
