import type { Browser, BrowserContext, Locator, Page } from "playwright-core";

export interface View {
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly language?: "en" | "zh";
  readonly theme?: "light" | "dark";
}

/** The page at /ui as a user sees it. `problems` collects the browser's errors. */
export class AppPage {
  readonly page: Page;
  readonly problems: string[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.on("console", (message) => message.type() === "error" && this.problems.push(message.text()));
    page.on("pageerror", (error) => this.problems.push(error.message));
  }

  static async open(browser: Browser, url: string, view: View = {}): Promise<AppPage> {
    const { path = "/ui", width = 1280, height = 860, language = "en", theme = "light" } = view;
    const context = await browser.newContext({
      viewport: { width, height },
      locale: language === "zh" ? "zh-CN" : "en-US",
      colorScheme: theme,
      acceptDownloads: true,
    });
    const app = new AppPage(context, await context.newPage());
    await app.page.goto(url + path);
    await app.message.waitFor();
    return app;
  }

  /** The field for questions. */
  get message(): Locator {
    return this.page.locator(".composer textarea");
  }

  /** Sends a question, waits until its answer has ended in any way, and returns it. */
  async ask(question: string): Promise<Locator> {
    const answer = await this.send(question);
    await answer.locator(".answer-foot").waitFor();
    return answer;
  }

  /** Sends a question and returns its answer, which may not have started. */
  async send(question: string): Promise<Locator> {
    await this.message.fill(question);
    return this.answerTo(() => this.message.press("Enter"));
  }

  /** The answer to the question that an action sends, such as a click on a suggestion. */
  async answerTo(act: () => Promise<unknown>): Promise<Locator> {
    const [response] = await Promise.all([
      this.page.waitForResponse(
        (one) => one.request().method() === "POST" && /\/(messages|code)$/.test(one.url()),
      ),
      act(),
    ]);
    const { message_id: id } = (await response.json()) as { message_id: string };
    return this.page.locator(`.answer[data-message="${id}"]`);
  }

  /** A second page with the same browser profile. */
  async openAnother(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(new URL(path, this.page.url()).href);
    return page;
  }

  /** The id of the shown thread. */
  get threadId(): string {
    return /#\/thread\/([^/?]+)/.exec(this.page.url())?.[1] ?? "";
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
