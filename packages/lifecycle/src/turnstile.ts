/** One at a time for each key, in the order of their coming. */
export class Turnstile {
  readonly #last = new Map<string, Promise<unknown>>();

  async pass<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
