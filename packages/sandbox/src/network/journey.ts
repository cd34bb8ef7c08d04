import type { Traffic } from "../contract/network.ts";
import type { Place } from "./policy.ts";
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
    this.end(
      error instanceof Refusal ? "refused" : "failed",
      error instanceof Error ? error.message : String(error),
    );
  }

  end(outcome: Traffic["outcome"], reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const callback of this.#onEnd) callback();
    this.#tell?.({
      at: this.#startedAt.toISOString(),
      method: this.#method,
      ...this.#place,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      sentBytes: this.#sentBytes,
      receivedBytes: this.#receivedBytes,
      durationMs: performance.now() - this.#startedMs,
    });
  }
}
