import type { StateChange } from "@atoll/lifecycle";

/** Counts what happens to threads' sandboxes, for /metrics. */
export class SandboxCounts {
  readonly #changes = new Map<string, number>();
  readonly #wakes = new Map<string, { count: number; seconds: number }>();
  readonly #checkpoints = { taken: 0, failed: 0, seconds: 0 };

  note({ from, to, reason, wakeMs }: StateChange): void {
    if (from === to) return;
    const key = `from="${from}",to="${to}",reason="${reason}"`;
    this.#changes.set(key, (this.#changes.get(key) ?? 0) + 1);
    if (to !== "hot" || wakeMs === undefined) return;
    const { count, seconds } = this.#wakes.get(from) ?? { count: 0, seconds: 0 };
    this.#wakes.set(from, { count: count + 1, seconds: seconds + wakeMs / 1000 });
  }

  noteCheckpoint({ isTaken, durationMs }: { isTaken: boolean; durationMs: number }): void {
    this.#checkpoints[isTaken ? "taken" : "failed"] += 1;
    this.#checkpoints.seconds += durationMs / 1000;
  }

  /** In the form in which Prometheus reads them. */
  *families(): Generator<{ name: string; type: string; help: string; samples: string[] }> {
    const changes = "atoll_sandbox_changes_total";
    yield {
      name: changes,
      type: "counter",
      help: "Changes of state of threads' sandboxes",
      samples: [...this.#changes].map(([labels, count]) => `${changes}{${labels}} ${count}`),
    };
    const wakes = "atoll_sandbox_wake_seconds";
    yield {
      name: wakes,
      type: "summary",
      help: "How long wakes took, by the state before",
      samples: [...this.#wakes].flatMap(([from, { count, seconds }]) => [
        `${wakes}_sum{from="${from}"} ${seconds}`,
        `${wakes}_count{from="${from}"} ${count}`,
      ]),
    };
    const { taken, failed, seconds } = this.#checkpoints;
    yield {
      name: "atoll_checkpoints_total",
      type: "counter",
      help: "Checkpoints at the ends of turns",
      samples: [
        `atoll_checkpoints_total{result="taken"} ${taken}`,
        `atoll_checkpoints_total{result="failed"} ${failed}`,
      ],
    };
    yield {
      name: "atoll_checkpoint_seconds_total",
      type: "counter",
      help: "Time that they took",
      samples: [`atoll_checkpoint_seconds_total ${seconds}`],
    };
  }
}
