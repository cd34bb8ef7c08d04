import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { answer, finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import { openPanel } from "../../support/ui/test-thread.ts";
import type { FilesHarness } from "./files.harness.ts";

export function testGallery({ ui }: FilesHarness): void {
  it("collects the analyst's files and links to their answer", async () => {
    const app = await ui().open();
    onTestFinished(() => app.close());
    const question = "Show me monthly trends";
    const first = await app.ask(question);
    await app.ask("What are the top 5 categories by spend?");
    const panel = await openPanel(app, "Results");
    const card = panel.getByRole("listitem").first();
    await expect
      .poll(() =>
        card.locator(".thumbnail img").evaluate((image: { naturalWidth: number }) => image.naturalWidth),
      )
      .toBeGreaterThan(100);
    await panel
      .getByRole("button", { name: `Created by: ${question}` })
      .first()
      .click();
    await expect.poll(() => first.evaluate((element) => element.matches(":focus"))).toBe(true);
    await expect
      .poll(async () => {
        const box = await first.boundingBox();
        return box !== null && box.y < 400 && box.y + box.height > 100;
      })
      .toBe(true);
    expect(app.problems).toEqual([]);
  });

  it("shows, compares and downloads every version of a file", async () => {
    const app = await ui().open({ model: "scripted" });
    onTestFinished(() => app.close());
    const write = (text: string) =>
      reply(
        toolCall("execute_python", {
          code: `import matplotlib.pyplot as plt
open('notes.txt','w').write(${JSON.stringify(text)})
plt.figure(figsize=(${text.includes("half") ? 3 : 4}, 2)); plt.savefig('chart.png'); plt.close()`,
        }),
        finish("tool_calls"),
      );
    const texts = ["one\ntwo\nthree\n", "one\ntwo and a half\nthree\n"];
    ui().models.script(write(texts[0] ?? ""), answer("First."), write(texts[1] ?? ""), answer("Second."));
    await app.ask("write it");
    await app.ask("write it again");
    const panel = await openPanel(app, "Results");
    const card = panel.getByRole("listitem", { name: "notes.txt" });
    const versions = card.getByRole("combobox", { name: "Versions of notes.txt" });
    await versions.waitFor();
    expect(await versions.locator("option:checked").innerText()).toBe("Version 2 of 2");
    await card.getByRole("button", { name: "Created by: write it again" }).waitFor();
    await versions.selectOption({ label: "Version 1 of 2" });
    await card.getByRole("button", { name: "Created by: write it", exact: true }).waitFor();
    const [download] = await Promise.all([
      app.page.waitForEvent("download"),
      card.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(await readFile(await download.path(), "utf8")).toBe(texts[0]);

    await card.getByRole("button", { name: "Compare versions of notes.txt" }).click();
    const dialog = app.page.getByRole("dialog", { name: "Compare versions of notes.txt" });
    await dialog.getByText("-two", { exact: true }).waitFor();
    await dialog.getByText("+two and a half", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();

    const chart = panel.getByRole("listitem", { name: "chart.png" });
    await chart.getByRole("button", { name: "Compare versions of chart.png" }).click();
    const pictures = app.page.getByRole("dialog", { name: "Compare versions of chart.png" });
    const widths = () =>
      pictures
        .getByRole("img")
        .evaluateAll((images) =>
          images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
        );
    await expect.poll(widths).toEqual([400, 300]);
    expect(app.problems).toEqual([]);
  });
}
