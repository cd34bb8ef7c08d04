import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openChromium } from "../chromium.ts";
import { type ScriptedOpenAI, startScriptedOpenAI } from "../scripted-openai/index.ts";
import { ServerProcess } from "../server-process.ts";
import { AppPage, type View } from "./app-page.ts";

/**
 * A server with its page, a browser, and a scripted model for threads that ask for one. The built-in analyst answers
 * unless `ui.open({ model: "scripted" })`.
 */
export class UiHarness implements AsyncDisposable {
  readonly dataDir: string;
  readonly server: ServerProcess;
  readonly browser: Browser;
  readonly models: ScriptedOpenAI;
  readonly #pages = new Set<AppPage>();

  private constructor(dataDir: string, server: ServerProcess, browser: Browser, models: ScriptedOpenAI) {
    this.dataDir = dataDir;
    this.server = server;
    this.browser = browser;
    this.models = models;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<UiHarness> {
    const models = await startScriptedOpenAI();
    const dataDir = await mkdtemp(join(tmpdir(), "atoll-ui-"));
    const [server, browser] = await Promise.all([
      ServerProcess.start({
        dataDir,
        env: {
          ATOLL_MODEL: "built-in",
          OPENAI_BASE_URL: models.baseUrl,
          OPENAI_API_KEY: "sk-test",
          ...env,
        },
      }),
      openChromium(),
    ]);
    return new UiHarness(dataDir, server, browser, models);
  }

  /** Opens a page with its own browser profile. */
  async open(view: View & { model?: "built-in" | "scripted" } = {}): Promise<AppPage> {
    const path = view.model === "scripted" ? await this.#startScripted() : view.path;
    const app = await AppPage.open(this.browser, this.server.url, {
      ...view,
      path,
    });
    this.#pages.add(app);
    return app;
  }

  /** Closes all pages: open ones slow down the next tests. */
  async clear(): Promise<void> {
    await Promise.all([...this.#pages].map((app) => app.close()));
    this.#pages.clear();
  }

  /** Calls the server as a program would. */
  async request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(this.server.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.clear();
    await this.browser.close();
    await this.server.stop();
    await this.models.close();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }

  /** A thread whose questions go to the scripted model. */
  async #startScripted(): Promise<string> {
    const { thread_id: id } = await this.request("POST", "/thread/new", { model: "openai:scripted" });
    return `/ui#/thread/${String(id)}`;
  }
}
