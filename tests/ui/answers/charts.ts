import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { isPng, save } from "./pictures.ts";
import { runCode } from "./answers.harness.ts";

/** A chart of two bars for each library. */
const charts = {
  "vega-lite": {
    mime: "application/vnd.vegalite.v5+json",
    spec: {
      data: {
        values: [
          { a: "A", b: 28 },
          { a: "B", b: 55 },
        ],
      },
      mark: "bar",
      encoding: { x: { field: "a" }, y: { field: "b", type: "quantitative" } },
    },
    drawn: "svg.marks path",
  },
  plotly: {
    mime: "application/vnd.plotly.v1+json",
    spec: { data: [{ type: "bar", x: ["A", "B"], y: [28, 55] }], layout: { title: { text: "Two bars" } } },
    drawn: "svg.main-svg .bars path",
  },
  echarts: {
    mime: "application/vnd.echarts+json",
    spec: {
      xAxis: { type: "category", data: ["A", "B"] },
      yAxis: { type: "value" },
      series: [{ type: "bar", data: [28, 55] }],
    },
    drawn: "canvas",
  },
} as const;

export function testCharts(ui: () => UiHarness): void {
  it.each(Object.entries(charts))(
    "a chart for %s is drawn in the page's theme, and its library loaded only then",
    async (name, { mime, spec, drawn }) => {
      const app = await ui().open();
      const scripts: string[] = [];
      app.page.on("response", (response) => scripts.push(new URL(response.url()).pathname));
      const libraries = () => scripts.filter((path) => /plotly|echarts|vega/.test(path));
      await runCode(ui(), app, "'nothing to draw'");
      expect(libraries()).toEqual([]);
      expect(scripts).not.toContain("/ui/chart.html");

      const answer = await runCode(ui(), app, show(mime, spec));
      const frame = answer.frameLocator('iframe[title="Chart"]');
      const mark = frame.locator(drawn).first();
      await mark.waitFor();
      const box = await mark.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(50);
      await answer.getByRole("button", { name: "Save as PNG" }).waitFor();
      const others = Object.keys(charts)
        .filter((other) => other !== name)
        .map((other) => other.replace("-lite", ""));
      expect(libraries().length).toBeGreaterThan(0);
      expect(libraries().filter((path) => others.some((other) => path.includes(`/${other}`)))).toEqual([]);

      expect(await colours(app.page)).toBeGreaterThan(2);
      expect(await brightness(app.page)).toBeGreaterThan(200);
      await app.page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(() => brightness(app.page)).toBeLessThan(60);
      await mark.waitFor();
      expect(await colours(app.page)).toBeGreaterThan(2);
      const file = await save(app.page, () => answer.getByRole("button", { name: "Save as PNG" }).click());
      expect(await isPng(file)).toBe(true);
      await answer.getByRole("button", { name: "Enlarge" }).click();
      const large = app.page.getByRole("dialog", { name: "Chart" });
      await large.frameLocator("iframe").locator(drawn).first().waitFor();
      await app.page.keyboard.press("Escape");
      await large.waitFor({ state: "detached" });
      expect(app.problems).toEqual([]);
    },
  );
}

export function show(mime: string, spec: unknown): string {
  return `import json\nfrom IPython.display import display\ndisplay({${JSON.stringify(mime)}: json.loads(${JSON.stringify(JSON.stringify(spec))})}, raw=True)`;
}

/** The number of colours in a screenshot of the chart. An empty frame has one. */
async function colours(page: Page): Promise<number> {
  return new Set((await look(page)).map((pixel) => pixel.join(" "))).size;
}

/** The brightness of the chart's background near a corner, from 0 to 255. */
async function brightness(page: Page): Promise<number> {
  const [corner = []] = await look(page);
  return corner.reduce((sum, value) => sum + value, 0) / 3;
}

/** Pixels of the chart on screen; the first is near a corner. */
async function look(page: Page): Promise<number[][]> {
  const frame = page.locator('iframe[title="Chart"]').first();
  const png = (await frame.screenshot()).toString("base64");
  return (await page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png}";
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = [];
    for (let y = 5; y < height; y += 7)
      for (let x = 5; x < width; x += 7) pixels.push([...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    return pixels;
  })()`)) as number[][];
}
