import type { Locator, Page } from "playwright-core";

/** Opens the settings and waits until they are loaded. */
export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: /^(Settings|设置)$/ }).click();
  const dialog = page.getByRole("dialog", { name: /^(Settings|设置)$/ });
  await dialog.getByRole("group", { name: /^(This thread|此对话)$/ }).waitFor();
  await dialog.getByRole("group", { name: /^(Model|模型)$/ }).waitFor();
  return dialog;
}
