import { ThreadUser } from "../thread-user.ts";
import type { UiHarness } from "./ui-harness.ts";

/** Reads the state of a thread from the server, without the page. */
export class ThreadState {
  readonly #ui: UiHarness;
  readonly #id: string;

  constructor(ui: UiHarness, id: string) {
    this.#ui = ui;
    this.#id = id;
  }

  /** Runs code in the thread's kernel and waits for its end. */
  async run(code: string): Promise<void> {
    const user = new ThreadUser(this.#ui.server.url, this.#id);
    await user.client.threads.runCode(this.#id, code);
    await user.untilIdle();
  }

  /** A variable as the kernel shows it. */
  async variable(name: string): Promise<string | undefined> {
    const found = await this.#ui.request("GET", `/thread/${this.#id}/variables`);
    const variables = found["variables"] as { name: string; preview: string }[];
    return variables.find((variable) => variable.name === name)?.preview;
  }

  /** The HTTP status of a request for the thread. */
  async status(): Promise<number> {
    return (await fetch(`${this.#ui.server.url}/thread/${this.#id}`)).status;
  }

  async hasSandbox(): Promise<boolean> {
    const { sandboxes } = (await this.#ui.request("GET", "/operator/sandboxes")) as {
      sandboxes: { thread_id: string }[];
    };
    return sandboxes.some((sandbox) => sandbox.thread_id === this.#id);
  }
}
