import { describeRestore, type Restore } from "@atoll/agent";
import type { StateChange } from "@atoll/lifecycle";
import type { ThreadEvent } from "@atoll/protocol";

type SandboxEvent = Extract<ThreadEvent, { type: "sandbox" }>;

/**
 * Reports which variables came back when a thread's sandbox was restored from its files. The user reads it in the log at
 * once; for the model the notice is pending until a run has passed it on.
 */
export class RestoreNotices {
  readonly #write: (event: SandboxEvent) => void;
  #pending: Restore | undefined;

  /** `write`: appends to the thread's log. */
  constructor(write: (event: SandboxEvent) => void) {
    this.#write = write;
  }

  /** What the model has not been told yet. */
  get pending(): Restore | undefined {
    return this.#pending;
  }

  acknowledge(restore: Restore): void {
    if (this.#pending === restore) this.#pending = undefined;
  }

  /** The sandbox was removed. */
  clear(): void {
    this.#pending = undefined;
  }

  noteChange(change: StateChange): void {
    if (change.to === "cold" && change.reason === "died") {
      const text = "The sandbox ended unexpectedly. Its files are kept; it starts again at the next use.";
      this.#write({ type: "sandbox", state: "cold", text });
    }
    const isBranch = change.reason === "branched";
    if (change.to !== "hot" || (change.from !== "cold" && !isBranch)) return;
    const restore = toRestore(change);
    // A branch writes its own first event.
    if (!isBranch) this.#write(toSandboxEvent(restore, describeRestore(restore)));
    this.#add(restore);
  }

  /** The user restarted the kernel. */
  noteKernelRestart(): void {
    const restore = { restored: [], lost: [], isEmpty: true };
    const text =
      "The kernel was restarted: its variables are gone, files are kept, and tables are loaded again.";
    this.#write(toSandboxEvent(restore, text));
    this.#add(restore);
  }

  #add(restore: Restore): void {
    this.#pending = merge(this.#pending, restore);
  }
}

export function toSandboxEvent(
  { restored, lost, variablesAt }: Pick<Restore, "restored" | "lost" | "variablesAt">,
  text: string,
): SandboxEvent {
  return {
    type: "sandbox",
    state: "hot",
    text,
    restored: [...restored],
    lost: [...lost],
    variables_at: variablesAt,
  };
}

function toRestore({ restored, lost, variablesAt, isFresh }: StateChange): Restore {
  return { restored, lost, isEmpty: isFresh, variablesAt };
}

/** To the model, two restores that it has not been told about are one. */
function merge(before: Restore | undefined, now: Restore): Restore {
  if (!before) return now;
  const known = new Set([...now.restored, ...now.lost.map(({ name }) => name)]);
  const variablesAt = before.variablesAt ?? now.variablesAt;
  return {
    ...now,
    lost: [...before.lost.filter(({ name }) => !known.has(name)), ...now.lost],
    variablesAt,
  };
}
