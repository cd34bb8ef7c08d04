import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { AtollError, Sandbox } from "@atoll/sandbox";

const goodForMs = 30_000;
const badForMs = 3000;
const patienceMs = 30_000;

/**
 * Whether sandboxes can be made: makes one, now and then. Callers in between get the latest answer, and callers at the
 * same time share one attempt, so that questions cost nothing, however many there are.
 */
export class ReadinessProbe {
  readonly #attempt: () => Promise<void>;
  readonly #now: () => number;
  #latest: { readonly untilMs: number; readonly obstacle: string | undefined } | undefined;
  #underWay: Promise<string | undefined> | undefined;

  constructor(attempt: () => Promise<void>, now: () => number = () => performance.now()) {
    this.#attempt = attempt;
    this.#now = now;
  }

  /** In words, what keeps a sandbox from being made; undefined when one could be. */
  async findObstacle(): Promise<string | undefined> {
    if (this.#latest && this.#now() < this.#latest.untilMs) return this.#latest.obstacle;
    this.#underWay ??= this.#try().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #try(): Promise<string | undefined> {
    const obstacle = await this.#attempt().then(
      () => undefined,
      (error: unknown) =>
        `no sandbox can be made: ${error instanceof AtollError ? error.message : "internal"}`,
    );
    this.#latest = { untilMs: this.#now() + (obstacle === undefined ? goodForMs : badForMs), obstacle };
    return obstacle;
  }
}

/** Makes a sandbox and removes it. One that a killed server left is found by its id, and removed the next time. */
export async function trySandbox(
  location: { dataDir: string; runtime?: string },
  port: number,
): Promise<void> {
  const server = createHash("sha256").update(`${hostname()}:${port}`).digest("hex").slice(0, 16);
  const sandbox = await Sandbox.create({
    ...location,
    id: `readiness-${server}`,
    timeoutMs: patienceMs,
    orphanTimeoutMs: patienceMs,
  });
  await sandbox.destroy();
}
