import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { AtollError, Sandbox } from "@atoll/sandbox";

const SUCCESS_TTL_MS = 30_000;
const FAILURE_TTL_MS = 3000;
const TIMEOUT_MS = 30_000;

/**
 * Whether sandboxes can be created: creates one now and then. Concurrent callers share one attempt and later ones get its
 * result for a while, so that frequent checks cost nothing.
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

  /** Why no sandbox can be created; undefined when one can. */
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
    this.#latest = {
      untilMs: this.#now() + (obstacle === undefined ? SUCCESS_TTL_MS : FAILURE_TTL_MS),
      obstacle,
    };
    return obstacle;
  }
}

/** Creates a sandbox and deletes it. The next attempt finds one that a killed server left, by its id, and deletes it. */
export async function trySandbox(
  location: { dataDir: string; runtime?: string },
  port: number,
): Promise<void> {
  const server = createHash("sha256").update(`${hostname()}:${port}`).digest("hex").slice(0, 16);
  const sandbox = await Sandbox.create({
    ...location,
    id: `readiness-${server}`,
    timeoutMs: TIMEOUT_MS,
    orphanTimeoutMs: TIMEOUT_MS,
  });
  await sandbox.destroy();
}
