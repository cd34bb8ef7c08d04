import { AtollClient, type NewThread } from "@atoll/client";
import type { Locator, Page } from "playwright-core";
import type { AppPage, View } from "./app-page.ts";
import type { UiHarness } from "./ui-harness.ts";

const PANEL_TITLES = ["Files", "Results", "Sandbox", "Variables", "Terminal", "Browser", "Ports"] as const;
export type PanelTitle = (typeof PANEL_TITLES)[number];

/** A thread whose sandbox a test uses through the client while the page shows it. */
export class TestThread {
  readonly id: string;
  readonly client: AtollClient;
  readonly #ui: UiHarness;

  private constructor(ui: UiHarness, client: AtollClient, id: string) {
    this.#ui = ui;
    this.client = client;
    this.id = id;
  }

  static async start(ui: UiHarness, thread: NewThread = {}): Promise<TestThread> {
    const client = new AtollClient({ baseUrl: ui.server.url });
    const { thread_id: id } = await client.threads.create(thread);
    return new TestThread(ui, client, id);
  }

  get files(): ReturnType<AtollClient["threads"]["files"]> {
    return this.client.threads.files(this.id);
  }

  /** Runs code like the page's "run again", and waits for its end. */
  async run(code: string, language: "python" | "shell" = "python"): Promise<void> {
    const { message_id: messageId } = await this.client.threads.runCode(this.id, code, { language });
    const end = new AbortController();
    let runId: string | undefined;
    for await (const event of this.client.threads.events(this.id, { after: 0, signal: end.signal })) {
      if (event.type === "run_started" && event.message_id === messageId) runId = event.run_id;
      if (event.type !== "done" || event.run_id !== runId) continue;
      end.abort();
      if (event.status !== "completed") throw new Error(`the code was ${event.status}`);
    }
  }

  /** Opens its page with one panel in front. */
  async open(panel: PanelTitle, view: View = {}): Promise<{ app: AppPage; panel: Locator }> {
    const app = await this.#ui.open({ ...view, path: `/ui#/thread/${this.id}` });
    return { app, panel: await openPanel(app, panel) };
  }
}

/** The tabs of all panels, in any language. The side panel must be open. */
export async function panelTabs(page: Page): Promise<Locator[]> {
  const tabs = page.getByRole("tab");
  await tabs.nth(PANEL_TITLES.length - 1).waitFor();
  return tabs.all();
}

/** Opens a panel, and the side panel if it is closed. */
export async function openPanel(app: AppPage, title: PanelTitle): Promise<Locator> {
  const { page } = app;
  const show = page.getByRole("button", { name: "Show files and sandbox" });
  const tab = page.getByRole("tab", { name: title, exact: true });
  await show.or(tab).first().waitFor();
  if (await show.isVisible()) await show.click();
  await tab.click();
  const panel = page.getByRole("tabpanel", { name: title, exact: true });
  await panel.waitFor();
  return panel;
}
