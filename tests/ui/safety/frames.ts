import type { Frame, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";
import { watchRequests } from "./requests.ts";

const html = `<h3>Report</h3><script>parent.hit=1;top.hit=1;document.title='taken'</script>
<img src="http://evil.example/a.png" onerror="parent.hit=2"><link rel="stylesheet" href="http://evil.example/a.css">
<meta http-equiv="refresh" content="0;url=http://evil.example/"><iframe src="http://evil.example/"></iframe>
<form action="http://evil.example/" method="post"><button>Go</button></form>
<a id="away" href="http://evil.example/" target="_top">away</a>`;

const show = `from IPython.display import HTML, display\ndisplay(HTML(${JSON.stringify(html)}))`;

/** What a script tries inside a frame, with each outcome. */
const tries = `(async () => {
  const attempt = async (work) => { try { return String(await work()); } catch (error) { return error.name; } };
  return {
    origin: String(self.origin),
    parent: await attempt(() => parent.document.title),
    top: await attempt(() => { top.location.href = "http://evil.example/"; return "led away"; }),
    cookies: await attempt(() => document.cookie),
    storage: await attempt(() => localStorage.length),
    session: await attempt(() => sessionStorage.length),
    databases: await attempt(() => indexedDB.databases()),
    api: await attempt(async () => (await fetch("/threads")).status),
    elsewhere: await attempt(async () => (await fetch("http://evil.example/")).status),
    popup: await attempt(() => String(open("http://evil.example/"))),
  };
})()`;

const nothing = {
  origin: "null",
  parent: "SecurityError",
  top: "SecurityError",
  cookies: "SecurityError",
  storage: "SecurityError",
  session: "SecurityError",
  databases: "SecurityError",
  api: "TypeError",
  elsewhere: "TypeError",
  popup: "null",
};

export function describeFrames(ui: () => UiHarness): void {
  describe("HTML from a sandbox", () => {
    it("shows HTML in a frame without an origin that runs, loads and navigates nothing", async () => {
      ui().models.script(runPython(show), say("Shown."));
      const app = await ui().open({ model: "scripted" });
      const elsewhere = watchRequests(app.page, ui().server.url);
      const answer = await app.ask("Show HTML");
      const frame = answer.locator("iframe");
      expect(await frame.getAttribute("sandbox")).not.toMatch(/same-origin|top-navigation|popups|forms/);
      const inside = answer.frameLocator("iframe");
      await inside.getByRole("heading", { name: "Report" }).waitFor();
      await inside.getByRole("button", { name: "Go" }).click();
      await inside.locator("#away").click();
      await inside.getByRole("heading", { name: "Report" }).waitFor();
      expect(await (await frameOf(app.page, "html.html")).evaluate(tries)).toEqual(nothing);
      expect(await app.page.evaluate("[typeof window.hit, document.title]")).toEqual([
        "undefined",
        "Show HTML · Atoll",
      ]);
      expect(app.page.url()).toContain(ui().server.url);
      expect(await elsewhere()).toEqual([]);
    });

    it("keeps scripts in chart frames away from the page and the server", async () => {
      const chart = `from IPython.display import display
display({"application/vnd.vegalite.v5+json": {"data": {"values": [{"a": "A", "b": 28}]}, "mark": "bar",
  "encoding": {"x": {"field": "a"}, "y": {"field": "b", "type": "quantitative"}}}}, raw=True)`;
      ui().models.script(runPython(chart), say("Shown."));
      const app = await ui().open({ model: "scripted" });
      const elsewhere = watchRequests(app.page, ui().server.url);
      const answer = await app.ask("Chart");
      expect(await answer.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts");
      const frame = await frameOf(app.page, "chart.html");
      const address = app.page.url();
      expect(await frame.evaluate(tries)).toEqual(nothing);
      expect(app.page.url()).toBe(address);
      expect(await elsewhere()).toEqual([]);
    });
  });
}

async function frameOf(page: Page, name: string): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes(name));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find() ?? page.mainFrame();
}
