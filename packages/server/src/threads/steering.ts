import type { Steering } from "@atoll/agent";
import type { StoredEvent } from "@atoll/protocol";
import type { WaitingMessage } from "./message.ts";

/** Messages for a run under way: offered, then taken by the agent, or left over when the run ends first. */
export class SteeringBox {
  readonly #offered: WaitingMessage[] = [];
  readonly #taken: WaitingMessage[];

  constructor(taken: readonly WaitingMessage[] = []) {
    this.#taken = [...taken];
  }

  get offered(): readonly WaitingMessage[] {
    return this.#offered;
  }

  get taken(): readonly WaitingMessage[] {
    return this.#taken;
  }

  offer(message: WaitingMessage): void {
    this.#offered.push(message);
  }

  take(): readonly Steering[] {
    const taken = this.#offered.splice(0);
    this.#taken.push(...taken);
    return taken.map(({ messageId, text }) => ({ messageId, text }));
  }

  /** Those that no `steered` event of the log tells of. */
  leftOver(steered: readonly StoredEvent[]): readonly WaitingMessage[] {
    const known = new Set(steered.map((event) => event.type === "steered" && event.message_id));
    return [...this.#offered, ...this.#taken.filter(({ messageId }) => !known.has(messageId))];
  }

  withdraw(messageId: string): WaitingMessage | undefined {
    const index = this.#offered.findIndex((message) => message.messageId === messageId);
    return index === -1 ? undefined : this.#offered.splice(index, 1)[0];
  }
}
