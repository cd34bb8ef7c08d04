import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { show } from "./charts.ts";
import { runCode } from "./answers.harness.ts";

const VEGA_LITE = "application/vnd.vegalite.v5+json";
const VEGA = "application/vnd.vega.v5+json";
const PLOTLY = "application/vnd.plotly.v1+json";
const ECHARTS = "application/vnd.echarts+json";
const axes = { xAxis: { type: "category", data: ["A"] }, yAxis: {} };

export function testHostileCharts(ui: () => UiHarness): void {
  const asked: string[] = [];
  let site: Server;
  let elsewhere: string;
  beforeAll(async () => {
    site = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("a,b\n1,2\n");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    elsewhere = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => site.close(resolve)));

  it("does not draw a chart that loads data, and says why", async () => {
    const app = await ui().open({ language: "zh" });
    const urls = [`${elsewhere}/data.csv`, "/threads", `${ui().server.url}/threads`];
    const answer = await runCode(
      ui(),
      app,
      urls
        .map((url) => show(VEGA_LITE, { data: { url }, mark: "bar", encoding: { x: { field: "a" } } }))
        .join("\n"),
    );
    for (const url of urls) {
      const failure = answer.getByRole("alert").filter({ has: app.page.getByText(url, { exact: true }) });
      await failure.getByText("图表未能绘制。 它要从某个地址加载数据").waitFor();
    }
    expect(await answer.locator("iframe").count()).toBe(0);
    expect(asked).toEqual([]);
  });

  it("blocks pictures and links in a chart", async () => {
    const app = await ui().open();
    const image = `${elsewhere}/picture.png`;
    const link = `<a href="${elsewhere}/link">link</a>`;
    const bar = { ...axes, series: [{ type: "bar", data: [1] }] };
    const withPicture = { images: [{ source: image, sizex: 1, sizey: 1 }], title: { text: link } };
    const answer = await runCode(
      ui(),
      app,
      [
        show(PLOTLY, { data: [], layout: withPicture }),
        show(ECHARTS, { ...bar, graphic: [{ type: "image", style: { image } }] }),
      ].join("\n"),
    );
    await expect.poll(() => answer.getByRole("button", { name: "Save as PNG" }).count()).toBe(2);
    const pictures = { data: { values: [{ u: image }] }, mark: "image", encoding: { url: { field: "u" } } };
    const refused = await runCode(ui(), app, show(VEGA_LITE, pictures));
    await refused.getByRole("alert").getByText(image).waitFor();
    expect(asked).toEqual([]);
  });

  it("says what is wrong with a chart: escaping expressions and plain mistakes", async () => {
    const app = await ui().open();
    const out = { signals: [{ name: "out", update: "constructor.constructor('return parent')()" }] };
    const wrong = [
      [VEGA, out, "Vega: Illegal callee type: CallExpression"],
      [VEGA_LITE, { data: { values: [] }, mark: "nonsense" }, "Vega-Lite: "],
      [PLOTLY, { data: "nonsense" }, "Plotly: data is not a list of traces"],
      [ECHARTS, { series: [{ type: "bar", data: [1] }] }, "ECharts: "],
      [PLOTLY, "7", "the chart is not an object"],
    ] as const;
    const code = wrong.map(([mime, spec]) => show(mime, spec)).join("\n");
    const answer = await runCode(ui(), app, code);
    for (const [, , detail] of wrong) {
      const failure = answer.getByRole("alert").filter({ hasText: detail });
      await failure
        .getByText("The chart could not be drawn. The description of the chart has an error:")
        .waitFor();
    }
    expect(await answer.locator("iframe").count()).toBe(0);
  });

  it("gives up a chart that never finishes, and keeps the page usable", async () => {
    const app = await ui().open();
    // Playwright's clock would have to advance in the frame too, which is stuck.
    await app.page.addInitScript(SHORTEN_TIMEOUT);
    await app.page.reload();
    await app.message.waitFor();
    const endless = `test(/(a+)+$/, '${"a".repeat(40)}b')`;
    const spec = {
      data: { values: [{ a: 1 }] },
      transform: [{ calculate: endless, as: "b" }],
      mark: "bar",
      encoding: { x: { field: "b" } },
    };
    const answer = await runCode(ui(), app, show(VEGA_LITE, spec));
    await answer.locator("iframe").waitFor();
    await expect
      .poll(() => app.page.frames().some((frame) => frame.url().endsWith("/ui/chart.html")))
      .toBe(true);
    await app.message.fill("still here");
    await answer
      .getByRole("alert")
      .getByText("It takes too long to draw. It may have too much data.")
      .waitFor();
    expect(await answer.locator("iframe").count()).toBe(0);
    await answer.getByRole("button", { name: "Try again" }).click();
    await answer.locator("iframe").waitFor();
    expect(await app.message.inputValue()).toBe("still here");
  });

  it("says that a chart is too large to show", async () => {
    const app = await ui().open();
    const code = `from IPython.display import display\ndisplay({"${PLOTLY}": {"layout": {"title": "x" * 40_000_000}}}, raw=True)`;
    const answer = await runCode(ui(), app, code);
    await answer.getByText("Some of the output is left out because it was too large.").waitFor();
    expect(app.problems).toEqual([]);
  });
}

/** Shortens waits of half a minute to three seconds, in the page but not in its frames. */
const SHORTEN_TIMEOUT = `
  if (window === top) {
    const wait = setTimeout;
    window.setTimeout = (work, ms, ...args) => wait(work, ms === 30_000 ? 3000 : ms, ...args);
  }`;
