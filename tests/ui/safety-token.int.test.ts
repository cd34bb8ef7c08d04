import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";

const TOKEN = "a-token-of-this-test-0123456789";

describeIf({ suite: "a server with a token", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start({ ATOLL_TOKEN: TOKEN });
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  const openAsStranger = async (path = "/ui") => {
    const page = await (await ui.browser.newContext({ locale: "en-US" })).newPage();
    await page.goto(ui.server.url + path);
    return page;
  };
  const signIn = async (page: Page, words: string) => {
    await page.getByLabel("Token").fill(words);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  it("asks for the token, refuses a wrong one and accepts the right one", async () => {
    const page = await openAsStranger();
    await page.getByText("You are not signed in.").waitFor();
    await page.getByText(/or open the login link/).waitFor();
    expect(await page.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(true);
    await signIn(page, "not-the-token");
    await page.getByText("This is not the server's token.").waitFor();
    expect(await page.getByLabel("Token").inputValue()).toBe("");
    expect(await page.context().cookies()).toEqual([]);
    await signIn(page, TOKEN);
    // No reload is needed.
    await page.getByText("What would you like to know?").waitFor();
    expect(await page.getByText("You are not signed in.").count()).toBe(0);
    await page.reload();
    await page.getByText("What would you like to know?").waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    );
    expect(kept).not.toContain(TOKEN);
  });

  it("says that the login has expired, and keeps what was written", async () => {
    const page = await openAsStranger();
    await signIn(page, TOKEN);
    const message = page.getByLabel("Message");
    await message.fill("How many rows are there?");
    await page.context().clearCookies();
    await message.press("Enter");
    await page.getByText("You are not signed in.").waitFor();
    await expect.poll(() => message.inputValue()).toBe("How many rows are there?");
    await signIn(page, TOKEN);
    await page.getByText("You are not signed in.").waitFor({ state: "detached" });
    await message.press("Enter");
    await page.locator(".answer-foot").waitFor();
  });

  it("accepts the printed login link once", async () => {
    const link = /http\S+\/login\?code=\S+/.exec(ui.server.output.join("\n"))?.[0] ?? "";
    const path = link.slice(new URL(link).origin.length);
    const first = await openAsStranger(path);
    await first.getByText("What would you like to know?").waitFor();
    const second = await openAsStranger(path);
    await second.getByText("You are not signed in.").waitFor();
    expect(await second.getByText("What would you like to know?").count()).toBe(0);
  });

  it("shows a shared thread without a token, and nothing else", async () => {
    const page = await openAsStranger();
    await signIn(page, TOKEN);
    await page.getByLabel("Message").fill("Show me monthly trends");
    await page.getByLabel("Message").press("Enter");
    await page.locator(".answer-foot").waitFor();
    const id = /thread\/([^/]+)$/.exec(page.url())?.[1] ?? "";
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Share a link" }).click();
    await page.getByRole("button", { name: "Copy the link" }).click();
    const link = await page.getByLabel("Link to share").inputValue();

    const reader = await openAsStranger(link.slice(ui.server.url.length));
    await reader.locator(".answer-foot").waitFor();
    const plot = reader.locator("figure img").first();
    await expect
      .poll(() => plot.evaluate((image) => Reflect.get(image, "naturalWidth") as number))
      .toBeGreaterThan(100);
    expect(await reader.getByText("You are not signed in.").count()).toBe(0);
    const refused = await reader.evaluate<number[]>(`Promise.all(
      ["/threads", "/thread/${id}", "/thread/${id}/history", "/settings", "/metrics", "/docs"].map(
        async (path) => (await fetch(path)).status))`);
    expect(refused).toEqual([401, 401, 401, 401, 401, 401]);

    await page.getByRole("button", { name: "Stop sharing" }).click();
    await page.getByText("The link no longer works.").waitFor();
    await reader.reload();
    await reader.getByText(/link no longer works/).waitFor();
  });
});
