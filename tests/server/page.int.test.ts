import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium, openChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { ServerProcess } from "../support/server-process.ts";

describeIf({ suite: "the page at /ui", missing: missingChromium, isRequired: true }, () => {
  let dataDir = "";
  let server: ServerProcess;
  let browser: Browser;
  const problems: string[] = [];

  const openPage = async (path = "/ui"): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(server.url + path);
    return page;
  };
  const ask = async (page: Page, question: string) => {
    const answered = await page.locator(".status", { hasText: "completed" }).count();
    await page.fill("#text", question);
    await page.keyboard.press("Enter");
    await page.locator(".status", { hasText: "completed" }).nth(answered).waitFor();
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-page-"));
    [server, browser] = await Promise.all([ServerProcess.start({ dataDir }), openChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("offers questions about the sample data, and shows code, table, chart and words", async () => {
    const page = await openPage();
    await page.locator(".starters button").first().waitFor();
    await ask(page, "What are the top 5 categories by spend?");
    await expect.poll(() => page.locator(".answer").innerText()).toContain("99,268.24");
    expect(await page.locator("#log table tr").count()).toBe(6);
    const width = await page
      .locator("#log img")
      .evaluate((image: { naturalWidth?: number }) => image.naturalWidth);
    expect(width).toBeGreaterThan(100);
    expect(await page.locator("#log details pre").textContent()).toContain("groupby");
    await page.close();
  });

  it("shows the same after a reload", async () => {
    const page = await openPage();
    await page.locator(".starters button").first().waitFor();
    await ask(page, "Show me monthly trends");
    const before = await page.locator("#log").innerText();
    await page.reload();
    await expect.poll(() => page.locator("#log").innerText()).toBe(before);
    await page.close();
  });

  it("takes a file of the user's and answers about it", async () => {
    const page = await openPage();
    await page.locator(".starters button").first().waitFor();
    const path = join(dataDir, "销售.csv");
    await writeFile(path, "城市,销售额\n北京,100\n上海,250\n北京,50\n");
    await page.locator("#files").setInputFiles(path);
    await page.locator(".starters button", { hasText: "销售额" }).first().waitFor();
    await ask(page, "按城市统计销售额");
    await expect.poll(() => page.locator(".answer").innerText()).toContain("250");
    await page.close();
  });

  it("tells what came back when the sandbox was put to rest", async () => {
    const page = await openPage();
    await page.locator(".starters button").first().waitFor();
    await ask(page, "Show me monthly trends");
    const { threads } = (await (await fetch(`${server.url}/threads`)).json()) as {
      threads: { thread_id: string }[];
    };
    const rested = await fetch(`${server.url}/thread/${threads[0]?.thread_id}/rest`, { method: "POST" });
    expect(rested.status).toBe(200);
    await ask(page, "and by city?");
    expect(await page.locator(".notice").innerText()).toMatch(/restored.*variables are back:.*\bdf\b/);
    await page.close();
  });

  it("does all that without a complaint of the browser", () => {
    expect(problems).toEqual([]);
  });
});
