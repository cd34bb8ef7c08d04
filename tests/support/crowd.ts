import { setTimeout as wait } from "node:timers/promises";
import type { ThreadUser } from "./thread-user.ts";

/** Users who talk at once, each in a thread of its own, to servers that are killed meanwhile. */
export class Crowd {
  readonly users: readonly ThreadUser[];
  readonly #acknowledged: ReadonlyMap<ThreadUser, string[]>;
  readonly #answered: ReadonlyMap<ThreadUser, string[]>;

  constructor(users: readonly ThreadUser[]) {
    this.users = users;
    this.#acknowledged = new Map(users.map((user) => [user, []]));
    this.#answered = new Map(users.map((user) => [user, []]));
  }

  acknowledgedOf(user: ThreadUser): readonly string[] {
    return this.#acknowledged.get(user) ?? [];
  }

  answeredOf(user: ThreadUser): readonly string[] {
    return this.#answered.get(user) ?? [];
  }

  /**
   * Every third user waits for each answer, the others only until their message is taken; one whose server dies stops.
   * `strike` comes when a part of the messages is taken, at any place within what the server does next.
   */
  talk(messages: readonly string[], share: number): { strike: Promise<void>; ended: Promise<unknown> } {
    const strikeAt = Math.ceil(Math.random() * this.users.length * messages.length * share);
    let taken = 0;
    const enough = Promise.withResolvers<void>();
    const sendAll = async (user: ThreadUser, isPatient: boolean) => {
      for (const message of messages) {
        await (isPatient ? this.#ask(user, message) : leave(user, message));
        this.#acknowledged.get(user)?.push(message);
        if (++taken >= strikeAt) enough.resolve();
      }
    };
    const ended = Promise.all(this.users.map((user, at) => sendAll(user, at % 3 === 0).catch(() => {})));
    const strike = Promise.race([enough.promise, ended]).then(() => wait(Math.random() * 20));
    return { strike, ended };
  }

  async #ask(user: ThreadUser, message: string): Promise<void> {
    await user.ask(message);
    this.#answered.get(user)?.push(message);
  }
}

async function leave(user: ThreadUser, message: string): Promise<void> {
  const stream = await user.send(message);
  await stream.until("message");
  stream.close();
}
