/** What was found damaged since the start: named once, told by /readyz. */
export class Damages {
  readonly #found = new Map<string, Damage>();

  note(damage: Damage): void {
    if (this.#found.has(damage.what) || this.#found.size >= maxNamed) return;
    this.#found.set(damage.what, damage);
    console.error(`atoll: damage: ${damage.message}`);
  }

  list(): readonly Damage[] {
    return [...this.#found.values()];
  }
}

export interface Damage {
  /** The same damage is noted once. */
  readonly what: string;
  readonly message: string;
  /** All else works. */
  readonly isContained: boolean;
}

const maxNamed = 100;
