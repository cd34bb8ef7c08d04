import { expect, it } from "vitest";
import { editorText, fileRow, type FilesHarness, openFile } from "./files.harness.ts";

export function testPreviews({ openSamples }: FilesHarness): void {
  it("shows images, and an SVG only as an image", async () => {
    const { app, panel } = await openSamples();
    for (const [name, size] of [
      ["plot.png", "400 × 300"],
      ["plot.jpg", "400 × 300"],
      ["plot.svg", /\d+ × \d+/],
      ["danger.svg", "40 × 30"],
    ] as const) {
      const view = await openFile(panel, name);
      await view.getByRole("figure").getByText(size).waitFor();
      expect(await view.locator("svg rect, object, embed, iframe").count(), name).toBe(0);
      await view.getByRole("button", { name: "Back to files" }).click();
    }
    expect(await app.page.evaluate("window.hacked")).toBeUndefined();
    expect(app.problems).toEqual([]);
    const broken = await openFile(panel, "fake.png");
    await broken.getByText("This image cannot be shown").waitFor();
  });

  it("shows a PDF in the browser's viewer, and refuses files that only claim to be one", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "plot.pdf");
    const frame = view.locator("iframe");
    await frame.waitFor();
    expect(await frame.getAttribute("src")).toMatch(/^blob:/);
    // The viewer is an internal page of the browser, in a nested frame.
    await expect
      .poll(() => app.page.frames().some((each) => each.url().startsWith("chrome-extension://")))
      .toBe(true);
    await view.getByRole("button", { name: "Back to files" }).click();
    const fake = await openFile(panel, "fake.pdf");
    await fake.getByText("This is not a valid PDF").waitFor();
    expect(await app.page.evaluate("window.hacked")).toBeUndefined();
    expect(app.problems).toEqual([]);
  });

  it("shows JSON as a collapsible tree, and invalid JSON as text", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "config.json");
    const tree = view.locator(".json-tree");
    await tree.getByText('"Atoll"').waitFor();
    await tree.getByText("[3]").waitFor();
    const deep = tree.locator("summary", { hasText: "b:" });
    expect(await tree.getByText('"文"').isVisible()).toBe(false);
    await tree.locator("summary", { hasText: /^a:/ }).click();
    await deep.click();
    await tree.getByText('"文"').waitFor();
    await view.getByRole("button", { name: "Show as text" }).click();
    await view.locator(".cm-content").waitFor();
    expect(await editorText(view)).toContain('"list": [1, 2, 3]');
    await view.getByRole("button", { name: "Show preview" }).click();
    await tree.getByText('"Atoll"').waitFor();
    await view.getByRole("button", { name: "Back to files" }).click();
    const broken = await openFile(panel, "broken.json");
    await broken.getByText("This is not valid JSON").waitFor();
    await broken.getByText('{"name":').waitFor();
    expect(app.problems).toEqual([]);
  });

  it("shows a notebook with its outputs, without running it", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "analysis.ipynb");
    await view.getByRole("heading", { name: "A title" }).waitFor();
    await view.getByText("df.head()").waitFor();
    await view.frameLocator("iframe").getByText("a cell of html").waitFor();
    await view.getByText("printed words").waitFor();
    await expect
      .poll(() => view.getByRole("img").evaluate((image: { naturalWidth: number }) => image.naturalWidth))
      .toBe(400);
    await view.getByText("ValueError: a bad value").waitFor();
    expect(await view.locator("iframe").getAttribute("sandbox")).not.toContain("allow-same-origin");
    expect(await app.page.evaluate("window.hacked")).toBeUndefined();
  });

  it("renders Markdown and HTML, without scripts", async () => {
    const { app, panel } = await openSamples();
    const view = await openFile(panel, "page.html");
    await view.frameLocator("iframe").getByRole("heading", { name: "A page" }).waitFor();
    expect(await app.page.evaluate("window.hacked")).toBeUndefined();
    await view.getByRole("button", { name: "Show as text" }).click();
    await view.locator(".cm-content").getByText("<h1>A page</h1>").waitFor();
  });

  it("says what it cannot show, and offers a download", async () => {
    const { app, panel } = await openSamples();
    const large = await openFile(panel, "large.log");
    await large.getByText("The first 2 MB of 2.9 MB are shown").waitFor();
    expect(await large.locator(".cm-content").getAttribute("contenteditable")).toBe("false");
    expect(await large.getByRole("button", { name: "Save" }).count()).toBe(0);
    await large.getByRole("link", { name: "Download" }).waitFor();
    await large.getByRole("button", { name: "Back to files" }).click();
    const binary = await openFile(panel, "blob.bin");
    await binary.getByText("This is a binary file (2.6 kB)").waitFor();
    await binary.getByRole("link", { name: "Download" }).waitFor();
    await binary.getByRole("button", { name: "Back to files" }).click();
    const latin = await openFile(panel, "latin.txt");
    await latin.getByText("café").waitFor();
    await latin.getByText("is not UTF-8").waitFor();
    await latin.getByRole("button", { name: "Back to files" }).click();
    await fileRow(panel, "latin.txt").waitFor();
    expect(app.problems).toEqual([]);
  });
}
