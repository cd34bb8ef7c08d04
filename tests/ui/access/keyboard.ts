import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";

export function describeKeyboard(ui: () => UiHarness): void {
  describe("with the keyboard alone", () => {
    it("gives every Tab stop a name and a visible focus, and traps none", async () => {
      const app = await ui().open({ width: 1440 });
      await app.ask("Show me monthly trends");
      await app.page.keyboard.press("Tab");
      const stops: Stop[] = [];
      for (let count = 0; count < 80; count += 1) {
        const stop = await app.page.evaluate<Stop>(DESCRIBE_FOCUS);
        if (stop.path === stops[0]?.path || (stops.length > 0 && stop.path === "body")) break;
        stops.push(stop);
        await app.page.keyboard.press("Tab");
      }
      expect(stops.length).toBeGreaterThan(12);
      expect(stops.filter(({ name }) => name === "")).toEqual([]);
      expect(stops.filter(({ isMarked }) => !isMarked)).toEqual([]);
      expect(app.problems).toEqual([]);
    });

    it("lets a keyboard user ask, open code and rename the thread, and restores the focus", async () => {
      const app = await ui().open();
      const { keyboard } = app.page;
      await keyboard.type("How many rows are there?");
      await keyboard.press("Enter");
      await app.page.locator(".answer-foot").waitFor();
      const toggle = app.page.locator(".call-toggle");
      await toggle.focus();
      await keyboard.press("Enter");
      expect(await toggle.getAttribute("aria-expanded")).toBe("true");

      const more = app.page.getByRole("button", { name: "More", exact: true });
      await more.focus();
      await keyboard.press("ArrowDown");
      expect(await focused(app.page)).toBe("Rename");
      await keyboard.press("ArrowUp");
      expect(await focused(app.page)).toBe("Delete");
      await keyboard.press("Home");
      expect(await focused(app.page)).toBe("Rename");
      await keyboard.press("Escape");
      expect(await focused(app.page)).toBe("More");
      await keyboard.press("Enter");
      await keyboard.press("Enter");
      await app.page.getByRole("dialog", { name: "New title" }).waitFor();
      expect(await focused(app.page)).toBe("New title");
      await keyboard.press("Control+a");
      await keyboard.type("Counted");
      await keyboard.press("Enter");
      await app.page.getByRole("heading", { level: 1, name: "Counted" }).waitFor();
      await expect.poll(() => focused(app.page)).toBe("More");
      expect(app.problems).toEqual([]);
    });

    it("keeps the focus in a dialog and returns it to the opener", async () => {
      const app = await ui().open();
      for (const [name, title] of [
        ["Settings", "Settings"],
        ["Keyboard ?", "Keyboard"],
      ] as const) {
        const opener = app.page.getByRole("button", { name, exact: true });
        await opener.focus();
        await app.page.keyboard.press("Enter");
        const dialog = app.page.getByRole("dialog", { name: title });
        await dialog.waitFor();
        for (let count = 0; count < 25; count += 1) {
          await app.page.keyboard.press("Tab");
          // Between the last and the first element, the browser's controls may have the focus.
          const place = await app.page.evaluate<string>(
            "document.activeElement === document.body ? 'browser' : document.activeElement.closest('dialog') ? 'dialog' : document.activeElement.outerHTML",
          );
          expect(["dialog", "browser"]).toContain(place);
        }
        await app.page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        expect(await focused(app.page)).toBe(name);
      }
      expect(app.problems).toEqual([]);
    });

    it("makes the panel tabs one stop, with arrow keys between them", async () => {
      const app = await ui().open({ width: 1440 });
      await app.page.getByRole("button", { name: "Show files and sandbox" }).click();
      const tabs = app.page.getByRole("tab");
      await tabs.first().focus();
      await app.page.keyboard.press("ArrowRight");
      expect(await tabs.nth(1).getAttribute("aria-selected")).toBe("true");
      await app.page.keyboard.press("ArrowLeft");
      await app.page.keyboard.press("ArrowLeft");
      expect(await tabs.last().getAttribute("aria-selected")).toBe("true");
      await app.page.keyboard.press("Tab");
      expect(await focused(app.page)).toBe("Hide files and sandbox");
      expect(app.problems).toEqual([]);
    });

    it("shows the shortcuts on ?, but not in a field", async () => {
      const app = await ui().open();
      await app.message.press("?");
      expect(await app.page.getByRole("dialog").count()).toBe(0);
      expect(await app.message.inputValue()).toBe("?");
      await app.page.getByRole("button", { name: "Settings" }).focus();
      await app.page.keyboard.press("?");
      await app.page.getByRole("dialog", { name: "Keyboard" }).waitFor();
      expect(app.problems).toEqual([]);
    });
  });
}

interface Stop {
  readonly path: string;
  readonly name: string;
  /** Its own outline, or that of the box around it. */
  readonly isMarked: boolean;
}

const DESCRIBE_FOCUS = `(() => {
  const element = document.activeElement;
  const box = element.closest(".search, .composer-box") ?? element;
  const style = getComputedStyle(element);
  const path = element === document.body ? "body" : [...document.querySelectorAll("*")].indexOf(element) + " " + element.tagName;
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "";
  const hasOutline = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  const isInBox = box !== element && box.matches(":focus-within");
  return { path, name: (label || element.title).trim(), isMarked: hasOutline || isInBox || element === document.body };
})()`;

/** The name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText).replaceAll(/\\s+/g, ' ').trim()",
  );
}
