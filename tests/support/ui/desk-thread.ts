import { AtollClient, type NewThread } from "@atoll/client";
import type { Locator, Page } from "playwright-core";
import type { DeskPage, View } from "./desk-page.ts";
import type { Stage } from "./stage.ts";

const panelTitles = ["Files", "Results", "Sandbox", "Variables", "Terminal", "Browser", "Ports"] as const;
export type PanelTitle = (typeof panelTitles)[number];

/** A thread with its desk: what is done in the sandbox behind the page's back, and what the page shows of it. */
export class DeskThread {
  readonly id: string;
  readonly client: AtollClient;
  readonly #stage: Stage;

  private constructor(stage: Stage, client: AtollClient, id: string) {
    this.#stage = stage;
    this.client = client;
    this.id = id;
  }

  static async start(stage: Stage, thread: NewThread = {}): Promise<DeskThread> {
    const client = new AtollClient({ baseUrl: stage.server.url });
    const { thread_id: id } = await client.threads.create(thread);
    return new DeskThread(stage, client, id);
  }

  get files(): ReturnType<AtollClient["threads"]["files"]> {
    return this.client.threads.files(this.id);
  }

  /** Code of the user, as the page's own "run again" sends it, until it has ended. */
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

  /** Its page, with one panel of the desk open. */
  async open(panel: PanelTitle, view: View = {}): Promise<{ desk: DeskPage; panel: Locator }> {
    const desk = await this.#stage.open({ ...view, path: `/ui#/thread/${this.id}` });
    return { desk, panel: await openPanel(desk, panel) };
  }
}

/** The tabs of all panels, in any language. The desk is opened by whoever asks. */
export async function panelTabs(page: Page): Promise<Locator[]> {
  const tabs = page.getByRole("tab");
  await tabs.nth(panelTitles.length - 1).waitFor();
  return tabs.all();
}

/** The panel of this title, with the desk opened where it is not. */
export async function openPanel(desk: DeskPage, title: PanelTitle): Promise<Locator> {
  const { page } = desk;
  const show = page.getByRole("button", { name: "Show files and sandbox" });
  const tab = page.getByRole("tab", { name: title, exact: true });
  await show.or(tab).first().waitFor();
  if (await show.isVisible()) await show.click();
  await tab.click();
  const panel = page.getByRole("tabpanel", { name: title, exact: true });
  await panel.waitFor();
  return panel;
}
