import { Transform } from "node:stream";
import type { EgressOptions } from "../contract/network.ts";
import { Refusal } from "./route.ts";

const defaults = { maxConnections: 64, maxRequestsPerMinute: 600, maxBytes: 4 * 1024 ** 3 };

/** How much of the network one sandbox may use. */
export class Allowance {
  readonly #limits: typeof defaults;
  #open = 0;
  #bytes = 0;
  #minute = 0;
  #requests = 0;

  constructor({ maxConnections, maxRequestsPerMinute, maxBytes }: EgressOptions) {
    this.#limits = {
      maxConnections: maxConnections ?? defaults.maxConnections,
      maxRequestsPerMinute: maxRequestsPerMinute ?? defaults.maxRequestsPerMinute,
      maxBytes: maxBytes ?? defaults.maxBytes,
    };
  }

  /** Counts one more request. The returned function ends it. */
  take(): () => void {
    const { maxConnections, maxRequestsPerMinute, maxBytes } = this.#limits;
    const minute = Math.floor(performance.now() / 60_000);
    if (minute !== this.#minute) [this.#minute, this.#requests] = [minute, 0];
    if (this.#open >= maxConnections)
      throw new Refusal(429, `this sandbox has ${maxConnections} connections open, as many as it may`);
    if (this.#requests >= maxRequestsPerMinute)
      throw new Refusal(
        429,
        `this sandbox has made ${maxRequestsPerMinute} requests in this minute, as many as it may`,
      );
    if (this.#bytes >= maxBytes)
      throw new Refusal(429, `this sandbox has moved ${maxBytes} bytes over the network, as many as it may`);
    this.#requests += 1;
    this.#open += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
  }

  /** Passes bytes on and counts them; breaks when the sandbox has moved all that it may. */
  meter(count: (bytes: number) => void): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, pass) => {
        count(chunk.length);
        this.#bytes += chunk.length;
        if (this.#bytes > this.#limits.maxBytes)
          pass(new Error("the sandbox has moved all the bytes that it may"));
        else pass(null, chunk);
      },
    });
  }
}
