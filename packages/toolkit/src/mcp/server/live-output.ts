import type { ProgressToken, ServerNotification } from "@modelcontextprotocol/sdk/types.js";
import type { LogLevel } from "./log-level.ts";
import type { RequestExtra } from "./tool-call.ts";

/** At most so often, however much is printed. */
const INTERVAL_MS = 100;
/** So often in any case: clients give up a call that they hear nothing of. */
const SIGN_OF_LIFE_MS = 5000;
/** Of what was printed since the last message: its end. */
const LONGEST_MESSAGE = 2000;

type Stream = "stdout" | "stderr";

/**
 * Tells the client what a call prints while it runs: as progress when it gave a token, as log messages when it asked
 * for them. Progress is counted in seconds, since the amount of work is unknown.
 */
export class LiveOutput {
  readonly #tool: string;
  readonly #options: { extra: RequestExtra; logLevel: LogLevel; progressToken: ProgressToken | undefined };
  readonly #startedAt = performance.now();
  readonly #pending: Record<Stream, string> = { stdout: "", stderr: "" };
  readonly #signOfLife: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastAt = -Infinity;
  #sending: Promise<void> = Promise.resolve();

  constructor(
    tool: string,
    options: { extra: RequestExtra; logLevel: LogLevel; progressToken: ProgressToken | undefined },
  ) {
    this.#tool = tool;
    this.#options = options;
    if (options.progressToken !== undefined)
      this.#signOfLife = setInterval(() => this.#sendProgress(), SIGN_OF_LIFE_MS).unref();
  }

  add(stream: Stream, text: string): void {
    this.#pending[stream] = (this.#pending[stream] + text).slice(-LONGEST_MESSAGE);
    const waitMs = Math.max(0, this.#lastAt + INTERVAL_MS - performance.now());
    if (waitMs === 0) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), waitMs).unref();
  }

  /** What is left goes out before the result does. */
  async end(): Promise<void> {
    clearInterval(this.#signOfLife);
    this.#flush();
    await this.#sending;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { stdout, stderr } = this.#pending;
    if (stdout === "" && stderr === "") return;
    this.#pending.stdout = this.#pending.stderr = "";
    this.#lastAt = performance.now();
    this.#sendProgress(stdout + stderr);
    this.#sendLog("info", stdout);
    this.#sendLog("notice", stderr);
  }

  #sendProgress(printed = ""): void {
    const { progressToken } = this.#options;
    if (progressToken === undefined) return;
    const progress = (performance.now() - this.#startedAt) / 1000;
    const message = printed.trimEnd().toWellFormed();
    this.#send({
      method: "notifications/progress",
      params: { progressToken, progress, ...(message === "" ? {} : { message }) },
    });
  }

  #sendLog(level: "info" | "notice", text: string): void {
    if (text === "" || !this.#options.logLevel.isWanted(level)) return;
    this.#send({
      method: "notifications/message",
      params: { level, logger: this.#tool, data: text.toWellFormed() },
    });
  }

  /** Sends one after the other. Ignores a client that is gone: its call ends by itself. */
  #send(notification: ServerNotification): void {
    const { extra } = this.#options;
    this.#sending = this.#sending.then(() => extra.sendNotification(notification)).catch(() => {});
  }
}
