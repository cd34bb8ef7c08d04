import { Worker } from "node:worker_threads";
import type { DataProfile } from "@atoll/protocol";
import type { Language } from "../plan.ts";
import type { MessageReading } from "../read-message.ts";
import type { Answer, Task } from "./protocol.ts";

const MAX_WORKERS = 2;
const TIMEOUT_MS = 15_000;

/** The analyst read for too long, as of hundreds of wide tables. */
export class AnalystTimeout extends Error {
  override readonly name = "AnalystTimeout";
}

/**
 * The analyst's reading of messages and tables, off the event loop: how long it takes depends on what users upload and
 * write. Workers start with the first tasks and keep no process alive. A task that takes too long loses its worker.
 */
export class AnalystThread {
  readonly #timeoutMs: number;
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #started = 0;

  constructor({ timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs;
  }

  read(question: string, earlier: readonly string[], data: DataProfile): Promise<MessageReading> {
    return this.#run({ kind: "read", question, earlier, data }) as Promise<MessageReading>;
  }

  suggest(data: DataProfile, language?: Language): Promise<string[]> {
    return this.#run({ kind: "suggest", data, language }) as Promise<string[]>;
  }

  async #run(task: Task): Promise<unknown> {
    const worker = await this.#take();
    let isSound = false;
    try {
      const answer = await this.#ask(worker, task);
      isSound = true;
      if ("error" in answer) throw answer.error;
      return answer.value;
    } finally {
      this.#giveBack(worker, isSound);
    }
  }

  async #ask(worker: Worker, task: Task): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => reject(new AnalystTimeout("the analyst took too long")), this.#timeoutMs);
    worker.once("message", resolve).once("error", reject);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(task);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("error").unref();
      // Without a listener the error of a worker that is ended would end the process.
      worker.on("error", () => {});
    }
  }

  async #take(): Promise<Worker> {
    while (this.#idle.length === 0 && this.#started >= MAX_WORKERS)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const idle = this.#idle.pop();
    if (idle) return idle;
    this.#started += 1;
    return new Worker(new URL("./worker.ts", import.meta.url), { execArgv: [], env: {} });
  }

  #giveBack(worker: Worker, isSound: boolean): void {
    if (isSound) this.#idle.push(worker);
    else {
      this.#started -= 1;
      void worker.terminate();
    }
    this.#waiting.shift()?.();
  }
}

export const analystThread = new AnalystThread();
