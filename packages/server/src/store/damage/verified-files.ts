import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { AtollError } from "@atoll/sandbox";
import type { Damages } from "./damages.ts";

/** Files whose content is known by its hash: each is read once since the start before it is given to anybody. */
export class VerifiedFiles {
  readonly #damages: Damages;
  readonly #good = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(damages: Damages) {
    this.#damages = damages;
  }

  /** It was hashed when it was written. */
  noteGood(path: string): void {
    if (this.#good.size >= maxKnown) this.#good.clear();
    this.#good.add(path);
  }

  forget(path: string): void {
    this.#good.delete(path);
  }

  isGood(path: string): boolean {
    return this.#good.has(path);
  }

  /** Rejects with `damaged`, or as the disk does. `name`: as a user knows it. */
  verify(path: string, sha256: string, name: string): Promise<void> {
    if (this.#good.has(path)) return Promise.resolve();
    const known = this.#underWay.get(path);
    if (known) return known;
    const checking = this.#check(path, sha256, name).finally(() => this.#underWay.delete(path));
    this.#underWay.set(path, checking);
    return checking;
  }

  async #check(path: string, sha256: string, name: string): Promise<void> {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
      hash.update(chunk as Uint8Array);
    if (hash.digest("hex") === sha256) return this.noteGood(path);
    const message = `${name} is damaged on the server's disk: its content is not what was stored.`;
    this.#damages.note({ what: path, message, isContained: true });
    throw new AtollError("damaged", message);
  }
}

const maxKnown = 100_000;
