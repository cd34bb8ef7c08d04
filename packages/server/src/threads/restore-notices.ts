import { describeRestore, type Restore } from "@atoll/agent";
import type { StateChange } from "@atoll/lifecycle";
import type { ThreadEvent } from "@atoll/protocol";

type SandboxEvent = Extract<ThreadEvent, { type: "sandbox" }>;

const maxKept = 1000;

export interface RestoresOptions {
  /** Into the thread's log, for the user. */
  write(threadId: string, event: SandboxEvent): void;
}

/**
 * What becomes of variables when sandboxes are made anew from their files. The user reads it in the log; for the model
 * it is kept until it has been said.
 */
export class Restores {
  readonly #options: RestoresOptions;
  readonly #unsaid = new Map<string, Restore>();

  constructor(options: RestoresOptions) {
    this.#options = options;
  }

  note(threadId: string, change: StateChange): void {
    if (change.to === "removed") return this.forget(threadId);
    if (change.to === "cold" && change.reason === "died") {
      const text = "The sandbox has ended by itself. Its files are kept; the next use makes it anew.";
      this.#options.write(threadId, { type: "sandbox", state: "cold", text });
    }
    const isBranch = change.reason === "branched";
    if (change.to !== "hot" || (change.from !== "cold" && !isBranch)) return;
    const restore = toRestore(change);
    // A branch has its own first event.
    if (!isBranch) this.#options.write(threadId, toSandboxEvent(restore, describeRestore(restore)));
    this.#remember(threadId, restore);
  }

  /** The user has started the kernel anew. */
  noteNewKernel(threadId: string): void {
    const restore = { restored: [], lost: [], isEmpty: true };
    const text =
      "The kernel was started anew: its variables are gone, the tables are loaded again. Files are kept.";
    this.#options.write(threadId, toSandboxEvent(restore, text));
    this.#remember(threadId, restore);
  }

  #remember(threadId: string, restore: Restore): void {
    const merged = merge(this.#unsaid.get(threadId), restore);
    this.#unsaid.delete(threadId);
    this.#unsaid.set(threadId, merged);
    const [eldest] = this.#unsaid.keys();
    if (this.#unsaid.size > maxKept && eldest !== undefined) this.#unsaid.delete(eldest);
  }

  /** What the model has not been told yet. */
  unsaid(threadId: string): Restore | undefined {
    return this.#unsaid.get(threadId);
  }

  markTold(threadId: string, restore: Restore): void {
    if (this.#unsaid.get(threadId) === restore) this.#unsaid.delete(threadId);
  }

  forget(threadId: string): void {
    this.#unsaid.delete(threadId);
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

/** Two restores that the model has heard nothing of are one to it. */
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
