/** What the server counts while it works, for /metrics. */
export class Counters {
  /** `method route status` → how many. Routes are those of the API, so there are few. */
  readonly requests = new Map<string, number>();
  readonly latency = new Histogram([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]);
  uploadedBytes = 0;

  countRequest(request: { method: string; route: string; status: number; seconds: number }): void {
    const { method, route, status, seconds } = request;
    const key = `method="${method}",route="${route}",status="${status}"`;
    this.requests.set(key, (this.requests.get(key) ?? 0) + 1);
    this.latency.observe(`route="${route}"`, seconds);
  }
}

/** Observations in buckets, for each set of labels. */
class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { counts: number[]; sum: number; count: number }>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: string, value: number): void {
    const known = this.#series.get(labels) ?? { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    this.#series.set(labels, known);
    known.sum += value;
    known.count += 1;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
  }

  *lines(name: string): Generator<string> {
    for (const [labels, { counts, sum, count }] of this.#series) {
      let below = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        below += counts[index] ?? 0;
        yield `${name}_bucket{${labels},le="${bound}"} ${below}`;
      }
      yield `${name}_bucket{${labels},le="+Inf"} ${count}`;
      yield `${name}_sum{${labels}} ${sum}`;
      yield `${name}_count{${labels}} ${count}`;
    }
  }
}
