import type { Sandbox } from "@atoll/sandbox";
import type { Download } from "playwright-core";
import { describeFault } from "../fault.ts";
import { clip, orElse } from "./bounds.ts";
import type { Notes } from "./notes.ts";
import { chooseName } from "./safe-name.ts";

/** Where Chromium puts them, inside its own sandbox. */
export const DOWNLOADS_FOLDER = "/session/downloads";

export interface SavedDownload {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Brings what pages download into the session's workspace. */
export class Downloads {
  readonly #from: Sandbox;
  readonly #to: () => Promise<Sandbox>;
  readonly #notes: Notes;
  readonly #underWay = new Set<Promise<void>>();
  #onNext: (() => void) | undefined;
  /** One after the other, so that two of one name get two names. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(from: Sandbox, to: () => Promise<Sandbox>, notes: Notes) {
    this.#from = from;
    this.#to = to;
    this.#notes = notes;
  }

  get count(): number {
    return this.#underWay.size;
  }

  take(download: Download): void {
    const name = clip(download.suggestedFilename(), 200);
    const work = this.#bring(download).then(
      ({ path, sizeBytes }) => this.#notes.add(`Downloaded ${path} (${sizeBytes} bytes).`),
      (error: unknown) =>
        this.#notes.add(`The download of ${JSON.stringify(name)} failed: ${describeFault(error)}`),
    );
    this.#underWay.add(work);
    this.#onNext?.();
    void work.then(() => this.#underWay.delete(work));
  }

  /** Resolves when one is under way, or when none has begun in this time. */
  async begun(timeoutMs: number): Promise<void> {
    if (this.#underWay.size > 0) return;
    const next = Promise.withResolvers<void>();
    this.#onNext = next.resolve;
    await orElse(undefined, next.promise, timeoutMs);
  }

  /** Resolves when none is under way any more, those that begin meanwhile included. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #bring(download: Download): Promise<SavedDownload> {
    const failure = await download.failure();
    if (failure !== null) throw new Error(failure);
    const place = `${DOWNLOADS_FOLDER}/${(await download.path()).split("/").at(-1)}`;
    const saving = this.#queue.then(() => this.#save(place, download.suggestedFilename()));
    this.#queue = saving.catch(() => {});
    return saving;
  }

  async #save(place: string, suggested: string): Promise<SavedDownload> {
    const target = await this.#to();
    const path = await chooseName(target, `${target.info.paths.workspace}/downloads`, suggested);
    try {
      const { sizeBytes } = await target.files.write(path, this.#from.files.readStream(place));
      return { path, sizeBytes };
    } finally {
      await this.#from.files.remove(place).catch(() => {});
    }
  }
}
