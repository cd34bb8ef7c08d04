import { describe, expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describePolicy(ui: () => UiHarness): void {
  describe("the page", () => {
    it("sends the content security policy and its headers word for word", async () => {
      for (const path of ["/ui", "/ui/shared"]) {
        const { headers } = await fetch(ui().server.url + path);
        expect(headers.get("content-security-policy"), path).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; " +
            "connect-src 'self'; frame-src 'self' blob: http://*.localhost:*; form-action 'none'; base-uri 'none'; " +
            "frame-ancestors 'none'",
        );
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("referrer-policy")).toBe("no-referrer");
        expect(headers.get("x-frame-options")).toBe("DENY");
        expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      }
    });

    it("contains no inline script, style or handler", async () => {
      const html = await (await fetch(`${ui().server.url}/ui`)).text();
      expect(html).toMatch(/<script [^>]*src="\/ui\/assets\//);
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    });

    it("does not run an injected script", async () => {
      const app = await ui().open();
      const ran = await app.page.evaluate<string>(`(() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = 'inline'";
        document.body.append(script);
        const picture = document.createElement("div");
        picture.innerHTML = '<img src="data:,x" onerror="window.ran = 1">';
        document.body.append(picture);
        return typeof window.ran;
      })()`);
      expect(ran).toBe("undefined");
      expect(app.problems.join()).toContain("Content Security Policy");
    });
  });
}
