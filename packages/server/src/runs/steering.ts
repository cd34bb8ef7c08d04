import type { Steering } from "@atoll/agent";
import type { WaitingMessage } from "./message.ts";

/** Messages for a run under way: offered, then taken by the agent, or left over when the run ends first. */
export class SteeringBox {
  readonly #offered: WaitingMessage[] = [];
  readonly #taken: WaitingMessage[] = [];

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

  withdraw(messageId: string): WaitingMessage | undefined {
    const index = this.#offered.findIndex((message) => message.messageId === messageId);
    return index === -1 ? undefined : this.#offered.splice(index, 1)[0];
  }
}
