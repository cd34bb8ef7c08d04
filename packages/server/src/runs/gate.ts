/** Lets so many work at once; the others wait in the order of their coming, but for those that are hurried. */
export class Gate {
  readonly #width: number;
  #inside = 0;
  readonly #waiting: { readonly key: string; enter(): void }[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  async pass<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#inside < this.#width) this.#inside += 1;
    else await new Promise<void>((enter) => this.#waiting.push({ key, enter }));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.enter();
      else this.#inside -= 1;
    }
  }

  /** What waits under this key is next. */
  hurry(key: string): void {
    const at = this.#waiting.findIndex((waiting) => waiting.key === key);
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1));
  }
}
