/** Lets a number of runs go on at once; the others wait in the order in which they came. */
export class Slots {
  readonly #size: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Calls `start` at once or when its turn comes. Whoever was started calls the given function when it has ended. */
  take(start: (release: () => void) => void): void {
    const begin = () => {
      this.#taken += 1;
      let isReleased = false;
      start(() => {
        if (isReleased) return;
        isReleased = true;
        this.#taken -= 1;
        this.#next();
      });
    };
    this.#waiting.push(begin);
    this.#next();
  }

  #next(): void {
    while (this.#taken < this.#size) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      begin();
    }
  }
}
