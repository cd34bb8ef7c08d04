import { describe, expect, it } from "vitest";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { openSettings } from "./settings.harness.ts";

export function describeLook(ui: () => UiHarness): void {
  describe("the language", () => {
    it("follows the browser's language, switches at the top right and remembers it", async () => {
      const app = await ui().open({ language: "zh" });
      await app.page.getByRole("heading", { name: "想了解什么？" }).waitFor();
      const button = app.page.getByRole("button", { name: "语言: EN (English)" });
      const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
      expect([x > 1280 / 2, y < 60]).toEqual([true, true]);
      await button.click();
      await app.page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
      expect(await app.page.locator("html").getAttribute("lang")).toBe("en");
      await app.page.reload();
      await app.page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
      await app.page.getByRole("button", { name: "Language: 中文" }).click();
      await app.page.getByRole("heading", { name: "想了解什么？" }).waitFor();
      expect(await app.page.locator("html").getAttribute("lang")).toBe("zh-CN");
      expect(app.problems).toEqual([]);
    });

    it("switches the language in the settings at once", async () => {
      const app = await ui().open();
      const settings = await openSettings(app.page);
      await settings.getByRole("radio", { name: "中文" }).check();
      await app.page.getByRole("dialog", { name: "设置" }).waitFor();
      await app.page.getByRole("radio", { name: "English" }).check();
      await app.page.getByRole("dialog", { name: "Settings" }).waitFor();
      expect(app.problems).toEqual([]);
    });
  });

  describe("the theme", () => {
    it("follows the system's theme, or remembers light or dark", async () => {
      const app = await ui().open({ theme: "dark" });
      const isDark = async () => {
        const colour = await app.page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
        return Number(/\d+/.exec(colour)?.[0]) < 128;
      };
      expect(await isDark()).toBe(true);
      await app.page.emulateMedia({ colorScheme: "light" });
      await expect.poll(isDark).toBe(false);
      const settings = await openSettings(app.page);
      await settings.getByRole("radio", { name: "Dark" }).check();
      await expect.poll(isDark).toBe(true);
      await app.page.reload();
      await app.message.waitFor();
      expect(await isDark()).toBe(true);
      const again = await openSettings(app.page);
      expect(await again.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
      await again.getByRole("radio", { name: "System" }).check();
      await expect.poll(isDark).toBe(false);
      await app.page.emulateMedia({ colorScheme: "dark" });
      await again.getByRole("radio", { name: "Light" }).check();
      await expect.poll(isDark).toBe(false);
      expect(app.problems).toEqual([]);
    });
  });
}
