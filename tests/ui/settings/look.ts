import { describe, expect, it } from "vitest";
import type { Stage } from "../../support/ui/stage.ts";
import { openSettings } from "./open-settings.ts";

export function describeLook(stage: () => Stage): void {
  describe("the language", () => {
    it("is what the browser asks for, is changed at the top right, and is kept", async () => {
      const desk = await stage().open({ language: "zh" });
      await desk.page.getByRole("heading", { name: "想了解什么？" }).waitFor();
      const button = desk.page.getByRole("button", { name: "语言: EN (English)" });
      const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
      expect([x > 1280 / 2, y < 60]).toEqual([true, true]);
      await button.click();
      await desk.page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
      expect(await desk.page.locator("html").getAttribute("lang")).toBe("en");
      await desk.page.reload();
      await desk.page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
      await desk.page.getByRole("button", { name: "Language: 中文" }).click();
      await desk.page.getByRole("heading", { name: "想了解什么？" }).waitFor();
      expect(await desk.page.locator("html").getAttribute("lang")).toBe("zh-CN");
      expect(desk.problems).toEqual([]);
    });

    it("can be chosen in the settings as well, which change at once", async () => {
      const desk = await stage().open();
      const settings = await openSettings(desk.page);
      await settings.getByRole("radio", { name: "中文" }).check();
      await desk.page.getByRole("dialog", { name: "设置" }).waitFor();
      await desk.page.getByRole("radio", { name: "English" }).check();
      await desk.page.getByRole("dialog", { name: "Settings" }).waitFor();
      expect(desk.problems).toEqual([]);
    });
  });

  describe("the theme", () => {
    it("is the system's, or light or dark as one chooses, and is kept", async () => {
      const desk = await stage().open({ theme: "dark" });
      const isDark = async () => {
        const colour = await desk.page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
        return Number(/\d+/.exec(colour)?.[0]) < 128;
      };
      expect(await isDark()).toBe(true);
      await desk.page.emulateMedia({ colorScheme: "light" });
      await expect.poll(isDark).toBe(false);
      const settings = await openSettings(desk.page);
      await settings.getByRole("radio", { name: "Dark" }).check();
      await expect.poll(isDark).toBe(true);
      await desk.page.reload();
      await desk.message.waitFor();
      expect(await isDark()).toBe(true);
      const again = await openSettings(desk.page);
      expect(await again.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
      await again.getByRole("radio", { name: "As the system" }).check();
      await expect.poll(isDark).toBe(false);
      await desk.page.emulateMedia({ colorScheme: "dark" });
      await again.getByRole("radio", { name: "Light" }).check();
      await expect.poll(isDark).toBe(false);
      expect(desk.problems).toEqual([]);
    });
  });
}
