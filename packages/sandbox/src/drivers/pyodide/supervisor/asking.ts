import { setTimeout as wait } from "node:timers/promises";
import type { GuestEvent } from "../../../guest/wire/connection.ts";
import type { Child, Ending } from "../interpreter/child.ts";
import type { Kernel } from "./kernel.ts";
import { Stopwatch } from "../../../stopwatch.ts";

/** For code to obey. */
const runGraceMs = 1000;
/** For what saves or reads variables, which is not asked to stop in order to lose them. */
const careGraceMs = 5000;
const askAgainMs = 10;

/** Of either form: that of a run, or that of another request. */
export type KernelError = Partial<Record<"name" | "value" | "traceback" | "code" | "message", string>>;

type KernelReply = {
  count?: number;
  exitCode?: number;
  error?: KernelError;
  reply?: Record<string, unknown>;
};

export interface Outcome {
  readonly reply?: KernelReply;
  /** The interpreter ended without one. */
  readonly ending?: Ending;
  readonly stoppedBy?: "timeout" | "abort" | "restart";
  readonly latestValue?: string;
}

interface KernelRequest {
  readonly params: Record<string, unknown>;
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  onEvent(event: GuestEvent): void;
}

/** One request to the kernel, which its time, its caller or a restart may stop. */
export class Asking {
  readonly #kernel: Kernel;
  #current: { readonly child: Child } | undefined;
  #watch: Stopwatch | undefined;
  #stop: ((reason: "abort" | "restart") => void) | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  pause(): void {
    this.#watch?.pause();
  }

  resume(): void {
    this.#watch?.resume();
  }

  stopForRestart(): void {
    this.#stop?.("restart");
  }

  /** Sends one request and sees it through: whoever stops it says why, and the kernel then has a grace to obey. */
  async ask({ params, body, timeoutMs, signal, onEvent }: KernelRequest): Promise<Outcome> {
    const child = await this.#kernel.ready();
    const stop = Promise.withResolvers<"timeout" | "abort" | "restart">();
    const onAbort = () => stop.resolve("abort");
    let latestValue: string | undefined;
    let failure: { error: unknown } | undefined;
    this.#kernel.isUnused = false;
    this.#current = { child };
    this.#stop = stop.resolve;
    this.#watch = new Stopwatch(timeoutMs, () => stop.resolve("timeout"));
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const listen = (event: GuestEvent) => {
      if (event.name === "value") latestValue = String(event.data["name"]);
      try {
        if (!failure) onEvent(event);
      } catch (error) {
        // The listener's own fault is the end of this request and of nothing else.
        failure = { error };
        stop.resolve("abort");
      }
    };
    this.#kernel.onOutput = (name, chunk) => listen({ name, data: {}, body: chunk });
    const done = child.call<KernelReply>("kernel", params, { ...(body && { body }), onEvent: listen }).then(
      ({ result }): Outcome => ({ reply: result }),
      async (error: unknown): Promise<Outcome> => {
        if (child.isAlive) throw error;
        return { ending: await child.ended };
      },
    );
    try {
      const stoppedBy = await Promise.race([done.then(() => undefined), stop.promise]);
      if (stoppedBy) await this.#stopCurrent(done, params["op"] === "run" ? runGraceMs : careGraceMs);
      const outcome = await done;
      if (failure) throw failure.error;
      return {
        ...outcome,
        ...(stoppedBy && { stoppedBy }),
        ...(latestValue !== undefined && { latestValue }),
      };
    } finally {
      this.#kernel.onOutput = () => {};
      this.#watch.stop();
      this.#watch = undefined;
      this.#stop = undefined;
      this.#current = undefined;
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Until the kernel has heard it: what comes before it has begun is passed over. */
  async interrupt(): Promise<void> {
    const asked = this.#current;
    if (!asked) return;
    while (this.#current === asked) {
      const { result: isHeard } = await asked.child.call<boolean>("interrupt");
      if (isHeard) return;
      await wait(askAgainMs);
    }
  }

  async #stopCurrent(done: Promise<unknown>, graceMs: number): Promise<void> {
    const timer = new AbortController();
    const late = () => wait(graceMs, "late", { signal: timer.signal }).catch(() => "late");
    const heard = this.interrupt().catch(() => undefined);
    try {
      await Promise.race([done, heard, late()]);
      if ((await Promise.race([done, late()])) === "late") await this.#kernel.end();
    } finally {
      timer.abort();
    }
  }
}
