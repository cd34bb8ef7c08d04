import { createHash } from "node:crypto";
import type { StateChange, ThreadSandboxes } from "@atoll/lifecycle";
import { AtollError, type EgressOptions, Sandbox } from "@atoll/sandbox";
import { type BrowserAccess, SessionBrowser } from "@atoll/toolkit";
import { isTemporaryThread } from "../store/temporary-ids.ts";

/** Keeps the ids of browsers' sandboxes apart from those of threads and programs, which share the folder. */
const prefix = "browser-";
const threadLabel = "atoll.thread";
const labels = { "atoll.owner": "browser" };

export interface ThreadBrowsersOptions {
  readonly dataDir: string;
  /** For those of temporary threads. Default: with all others. */
  readonly temporaryDir?: string;
  readonly runtime?: string | undefined;
  /** For runtimes with images. */
  readonly image?: string | undefined;
  readonly idleMs: number;
  /** The thread's own sandbox, awake. */
  openSandbox(threadId: string): Promise<Sandbox>;
  egress(threadId: string): EgressOptions;
  readonly sandboxes: Pick<ThreadSandboxes, "subscribe">;
  isKnown(threadId: string): boolean | Promise<boolean>;
  /** With several servers: another one has the thread. */
  isElsewhere?(threadId: string): Promise<boolean>;
  onProblem(threadId: string, error: unknown): void;
}

/** The browsers of threads. Each is made by its first use, and goes with the thread's sandbox. */
export class ThreadBrowsers {
  readonly #options: ThreadBrowsersOptions;
  readonly #browsers = new Map<string, SessionBrowser>();
  readonly #unsubscribe: () => void;
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: ThreadBrowsersOptions) {
    this.#options = options;
    this.#unsubscribe = options.sandboxes.subscribe((threadId, change) => this.#follow(threadId, change));
  }

  /** For tools. */
  access(threadId: string): BrowserAccess {
    return { use: (options) => this.of(threadId).use(options) };
  }

  of(threadId: string): SessionBrowser {
    const { runtime, image, idleMs } = this.#options;
    const known = this.#browsers.get(threadId);
    if (known) return known;
    const browser = new SessionBrowser({
      id: browserIdOf(threadId),
      sandbox: () => this.#options.openSandbox(threadId),
      dataDir: this.#dirOf(threadId),
      idleMs,
      egress: this.#options.egress(threadId),
      labels: { ...labels, [threadLabel]: threadId },
      runtime,
      image,
    });
    this.#browsers.set(threadId, browser);
    return browser;
  }

  /** Ends what a server that died has left running, and removes profiles of threads that are no more. */
  async cleanUp(): Promise<void> {
    const { dataDir, temporaryDir = dataDir } = this.#options;
    for (const each of new Set([dataDir, temporaryDir])) await this.#cleanUp(each);
  }

  async #cleanUp(dataDir: string): Promise<void> {
    const { runtime, isElsewhere, isKnown, onProblem } = this.#options;
    const place = { dataDir, runtime };
    for (const { id, info, state } of await Sandbox.list(place)) {
      const threadId = info.labels[threadLabel];
      if (!id.startsWith(prefix) || threadId === undefined || (await isElsewhere?.(threadId))) continue;
      try {
        if (!(await isKnown(threadId))) await this.of(threadId).remove();
        else if (state !== "dead" && !(await this.#browsers.get(threadId)?.running()))
          await (await Sandbox.attach(id, place)).destroy({ keepFiles: true });
      } catch (error) {
        onProblem(threadId, error);
      }
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.all(
      [...this.#browsers].map(([threadId, browser]) => this.#settle(threadId, browser.end())),
    );
    await Promise.all(this.#leaving);
  }

  #dirOf(threadId: string): string {
    const { dataDir, temporaryDir = dataDir } = this.#options;
    return isTemporaryThread(threadId) ? temporaryDir : dataDir;
  }

  /** A thread that rests has no use for its browser; one that is gone has none for its profile. */
  #follow(threadId: string, { to }: StateChange): void {
    if (to !== "cold" && to !== "removed") return;
    const work =
      to === "removed"
        ? this.of(threadId).remove()
        : (this.#browsers.get(threadId)?.end() ?? Promise.resolve());
    const leaving = this.#settle(threadId, work).then(() => {
      this.#leaving.delete(leaving);
      if (to === "removed") this.#browsers.delete(threadId);
    });
    this.#leaving.add(leaving);
  }

  #settle(threadId: string, work: Promise<void>): Promise<void> {
    return work.catch((error: unknown) => {
      if (!(error instanceof AtollError && error.code === "sandbox_dead"))
        this.#options.onProblem(threadId, error);
    });
  }
}

/** Readable where the thread's id can be a part of it. */
function browserIdOf(threadId: string): string {
  const id = prefix + threadId;
  if (id.length <= 64) return id;
  return `${prefix}-${createHash("sha256").update(threadId).digest("hex").slice(0, 40)}`;
}
