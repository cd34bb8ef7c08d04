import { describe, expect, it } from "vitest";
import { answer as say, finish, reply, text } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { watchRequests } from "./requests.ts";

export function describeMarkdown(ui: () => UiHarness): void {
  describe("a model's Markdown", () => {
    it("runs, loads and navigates nothing in a model's Markdown", async () => {
      const words = [
        "[a](javascript:window.hit=1) [b](data:text/html,<script>1</script>) [c](vbscript:x) [d](JaVaScRiPt:x)",
        "[e](https://example.org/page) <javascript:window.hit=2> [f](//example.org/x)",
        "![one](https://evil.example/p.png) ![two](//evil.example/p.png) ![three](http://127.0.0.1:9/p.png)",
        "![four](javascript:x) ![five](data:image/svg+xml,%3Csvg%20onload=%22x%22/%3E) ![six](/\\\\evil.example/p.png)",
        '<script>window.hit=3</script><img src="https://evil.example/q.png" onerror="window.hit=4">',
        '<iframe src="https://evil.example"></iframe><style>body{display:none}</style><b onclick="x">raw</b>',
        "<svg onload=window.hit=5><a href=javascript:x>y</a></svg> <form action=https://evil.example><input></form>",
      ].join("\n\n");
      ui().models.script(reply(text(words), finish("stop")));
      const app = await ui().open({ model: "scripted" });
      const elsewhere = watchRequests(app.page, ui().server.url);
      const answer = await app.ask("Be evil");
      const prose = answer.locator(".prose");
      await prose.locator("a").first().waitFor();
      const links = await prose
        .locator("a")
        .evaluateAll((all) =>
          all.map((a) => ["href", "rel", "target"].map((name) => a.getAttribute(name) ?? "")),
        );
      for (const [href = "", rel, target] of links) {
        expect(href).toMatch(/^($|https?:|\/\/)/);
        expect([rel, target]).toEqual(["noopener noreferrer", "_blank"]);
      }
      expect(links.length).toBeGreaterThan(3);
      expect(
        await prose.locator("script, iframe, style, svg, form, input, b, [onclick], [onerror]").count(),
      ).toBe(0);
      for (const image of await prose.locator("img").all())
        expect(await image.evaluate((each) => Reflect.get(each, "src") as string)).toContain(ui().server.url);
      for (const link of await prose.locator("a[href='']").all()) await link.click({ trial: true });
      expect(await app.page.evaluate("typeof window.hit")).toBe("undefined");
      expect(await elsewhere()).toEqual([]);
      expect(app.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
    });

    it("survives Markdown with thousands of cells or hundreds of levels", async () => {
      const row = `|${"cell|".repeat(30)}`;
      const table = [row, `|${"-|".repeat(30)}`, ...Array.from({ length: 300 }, () => row)].join("\n");
      const deep = `${"> ".repeat(300)}deep\n\n${"- ".repeat(200)}x\n\n${"*".repeat(3000)}y\n\n${"[".repeat(2000)}`;
      ui().models.script(reply(text(table), finish("stop")), reply(text(deep), finish("stop")), say("Fine."));
      const app = await ui().open({ model: "scripted" });
      const wide = await app.ask("A table");
      await wide.getByRole("cell", { name: "cell" }).first().waitFor();
      await app.ask("Nest");
      await app.ask("How are you?");
      await app.page.locator(".answer").getByText("Fine.").waitFor();
      expect(await app.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(app.problems).toEqual([]);
    });
  });
}
