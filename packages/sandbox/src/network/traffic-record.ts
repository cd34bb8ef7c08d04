import type { Traffic } from "../contract/network.ts";
import type { Place } from "./policy.ts";
import { ProxyingError } from "./http-proxying/index.ts";
import { Refusal } from "./route.ts";

/** One request on its way, told of once when it has ended. */
export class Journey {
  readonly #method: string;
  readonly #place: Place;
  readonly #tell: ((traffic: Traffic) => void) | undefined;
  readonly #startedAt = new Date();
  readonly #startedMs = performance.now();
  readonly #onEnd: (() => void)[] = [];
  #sentBytes = 0;
  #receivedBytes = 0;
  #isOver = false;

  constructor(method: string, place: Place, tell: ((traffic: Traffic) => void) | undefined) {
    this.#method = method;
    this.#place = place;
    this.#tell = tell;
  }

  onEnd(callback: () => void): void {
    this.#onEnd.push(callback);
  }

  send(bytes: number): void {
    this.#sentBytes += bytes;
  }

  receive(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  refuse(error: unknown): void {
    const isRefused = error instanceof Refusal || (error instanceof ProxyingError && error.status < 500);
    this.end(isRefused ? "refused" : "failed", error instanceof Error ? error.message : String(error));
  }

  end(outcome: Traffic["outcome"], reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const callback of this.#onEnd) callback();
    try {
      this.#tell?.(this.#describe(outcome, reason));
    } catch (error) {
      // The listener is the caller's, and this is no place where its failure could be caught.
      process.emitWarning(`onTraffic failed: ${String(error)}`);
    }
  }

  #describe(outcome: Traffic["outcome"], reason?: string): Traffic {
    return {
      at: this.#startedAt.toISOString(),
      method: this.#method,
      ...this.#place,
      outcome,
      reason,
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      durationMs: performance.now() - this.#startedMs,
    };
  }
}
