import { Child } from "./child.ts";
import { findSnapshot } from "./snapshot-cache.ts";

const defaultSize = 1;
/** A sandbox that was just handed out has the processors first. */
const refillAfterMs = 50;

/** Interpreters that have started ahead of time and are nobody's yet. They end with this process. */
class Pool {
  readonly #parked: Promise<Child>[] = [];

  async take(): Promise<Child> {
    for (let next = this.#parked.shift(); next; next = this.#parked.shift()) {
      const child = await next.catch(() => undefined);
      if (!child?.isAlive) continue;
      this.#refillSoon();
      return child;
    }
    const child = await this.#start();
    this.#refillSoon();
    return child;
  }

  /** Resolves when as many wait as should. */
  async fill(): Promise<void> {
    while (this.#parked.length < poolSize()) this.#parked.push(this.#start());
    await Promise.all(this.#parked);
  }

  async #start(): Promise<Child> {
    return (await Child.start(await findSnapshot())).child;
  }

  #refillSoon(): void {
    setTimeout(() => void this.fill().catch(() => {}), refillAfterMs).unref();
  }
}

function poolSize(): number {
  return Number(process.env["ATOLL_PYODIDE_POOL_SIZE"] ?? defaultSize);
}

/** Resolves when the next sandboxes of this process find their interpreters started. */
export function parkInterpreters(): Promise<void> {
  return pool.fill();
}

/** One for all sandboxes of this process: parked interpreters are nobody's. */
export const pool = new Pool();
