import type { Traffic } from "@atoll/sandbox";

/** Counts what sandboxes do on the network, for /metrics. */
export class EgressCounts {
  readonly #requests = { allowed: 0, refused: 0, failed: 0 };
  #sentBytes = 0;
  #receivedBytes = 0;

  note({ outcome, sentBytes, receivedBytes }: Traffic): void {
    this.#requests[outcome] += 1;
    this.#sentBytes += sentBytes;
    this.#receivedBytes += receivedBytes;
  }

  /** In the form in which Prometheus reads them. */
  *families(): Generator<{ name: string; type: string; help: string; samples: string[] }> {
    const requests = "atoll_egress_requests_total";
    yield {
      name: requests,
      type: "counter",
      help: "Requests of sandboxes to the network, by what became of them",
      samples: Object.entries(this.#requests).map(
        ([outcome, count]) => `${requests}{outcome="${outcome}"} ${count}`,
      ),
    };
    const bytes = "atoll_egress_bytes_total";
    yield {
      name: bytes,
      type: "counter",
      help: "Bytes that sandboxes have sent and received",
      samples: [
        `${bytes}{direction="sent"} ${this.#sentBytes}`,
        `${bytes}{direction="received"} ${this.#receivedBytes}`,
      ],
    };
  }
}
