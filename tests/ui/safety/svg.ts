import { describe, expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runPython } from "../../support/ui/tool-replies.ts";
import { watchRequests } from "./requests.ts";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="80"
 onload="parent.hit=1;top.hit=1"><script>window.hit=2;fetch('/threads')</script>
 <rect width="80" height="80" fill="#0a0"/><image xlink:href="http://evil.example/x.png" width="9" height="9"/>
 <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://evil.example/"/></foreignObject></svg>`;

const make = `from IPython.display import SVG, display
svg = ${JSON.stringify(svg)}
open('/session/artifacts/drawing.svg', 'w').write(svg)
open('/workspace/own.svg', 'w').write(svg)
display(SVG(data=svg))`;

export function describeSvg(ui: () => UiHarness): void {
  describe("an SVG with scripts in it", () => {
    it("shows an SVG with scripts as an image in results, gallery and files", async () => {
      ui().models.script(runPython(make), say("Drawn."));
      const app = await ui().open({ model: "scripted", width: 1440 });
      const elsewhere = watchRequests(app.page, ui().server.url);
      const asked: string[] = [];
      app.page.on("request", (request) => request.url().endsWith("/threads") && asked.push(request.url()));
      const answer = await app.ask("Draw");
      const shown = answer.locator("figure img").first();
      await expect
        .poll(() => shown.evaluate((image) => Reflect.get(image, "naturalWidth") as number))
        .toBe(80);

      await app.page.getByRole("button", { name: "Show files and sandbox" }).click();
      await app.page.getByRole("tab", { name: "Results" }).click();
      await app.page.getByRole("tabpanel").getByRole("img", { name: "drawing.svg" }).waitFor();
      await app.page.getByRole("tab", { name: "Files" }).click();
      await app.page
        .getByRole("tabpanel")
        .getByRole("treeitem", { name: /own\.svg/ })
        .click();
      const file = app.page.getByRole("tabpanel").locator("img");
      await expect
        .poll(() => file.evaluate((image) => Reflect.get(image, "naturalWidth") as number))
        .toBe(80);

      // No part of it is in the page's document.
      expect(
        await app.page.locator("svg script, svg foreignObject, object, embed, svg rect[fill='#0a0']").count(),
      ).toBe(0);
      expect(await app.page.evaluate("typeof window.hit")).toBe("undefined");
      expect([await elsewhere(), asked]).toEqual([[], []]);
      expect(app.problems).toEqual([]);
    });

    it("runs no script of an SVG that is opened directly", async () => {
      ui().models.script(runPython(make), say("Drawn."));
      const app = await ui().open({ model: "scripted" });
      const answer = await app.ask("Draw");
      const address = await answer.locator("figure img").first().getAttribute("src");
      const page = await app.openAnother(address ?? "");
      const elsewhere = watchRequests(page, ui().server.url);
      await page.reload();
      expect(await page.evaluate("[typeof window.hit, origin]")).toEqual(["undefined", "null"]);
      expect(await elsewhere()).toEqual([]);
    });
  });
}
