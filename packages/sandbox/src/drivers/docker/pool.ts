import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { Semaphore } from "@atoll/std";
import { type Container, currentGuest, holdContainer, ownerOf, startContainer } from "./container.ts";
import type { Engine } from "./engine.ts";
import type { DockerLayout, Home } from "./container-folders.ts";
import { moveBack } from "./join.ts";
import { isSameShape, pooledShape, type Shape } from "./container-config.ts";

const defaultSize = 2;
/** A sandbox that was just handed out has the processors first. */
const refillAfterMs = 100;

/** A start keeps a processor busy: more at a time would only make all of them slower. */
const starts = new Semaphore(Math.max(2, availableParallelism()));

interface Start {
  readonly shape: Shape;
  readonly container: Promise<Container | undefined>;
}

/**
 * Containers that run with their libraries imported, ahead of time: so many of each shape that was asked for. They are
 * held by this process; without a holder they end themselves, or the next process adopts them.
 */
export class Pool {
  readonly #engine: Engine;
  readonly #layout: DockerLayout;
  readonly #ready = new Set<Container>();
  readonly #starting = new Set<Start>();
  #adopted: Promise<void> | undefined;

  constructor(engine: Engine, layout: DockerLayout) {
    this.#engine = engine;
    this.#layout = layout;
  }

  /** A container of this shape, or of one that can be made this. Its home is still to be given an id. */
  async take(shape: Shape): Promise<Container> {
    const ready = await this.takeReady(shape);
    if (ready) return ready;
    // One that is on its way comes sooner than a new one.
    const pooled = pooledShape(shape);
    const coming = pooled && [...this.#starting].find((start) => isSameShape(start.shape, pooled));
    if (coming) {
      this.#starting.delete(coming);
      const container = await coming.container;
      if (container && !container.connection.isClosed) return container;
    }
    return this.#start(shape);
  }

  /** The same, if there is one that need not be waited for. */
  async takeReady(shape: Shape): Promise<Container | undefined> {
    this.#adopted ??= this.#adopt();
    await this.#adopted;
    const pooled = pooledShape(shape);
    if (!pooled || poolSize() === 0) return undefined;
    setTimeout(() => this.#refill(pooled), refillAfterMs).unref();
    const found = [...this.#ready].find((container) => isSameShape(container.shape, pooled));
    if (found) this.#ready.delete(found);
    return found;
  }

  #start(shape: Shape): Promise<Container> {
    const home = this.#layout.newHome();
    return starts.run(async () => {
      try {
        return await startContainer(this.#engine, this.#layout, home, shape);
      } catch (error) {
        await home.remove();
        throw error;
      }
    });
  }

  #refill(shape: Shape): void {
    // Who waits comes first; the next one who takes brings this up again.
    if (starts.isAnyWaiting) return;
    const held = [...this.#ready, ...this.#starting].filter((one) => isSameShape(one.shape, shape));
    for (let missing = poolSize() - held.length; missing > 0; missing--) {
      const start: Start = { shape, container: this.#start(shape).catch(() => undefined) };
      this.#starting.add(start);
      void start.container.then((container) => {
        // Unless somebody who could not wait has taken it.
        if (this.#starting.delete(start) && container) this.#keep(container);
      });
    }
  }

  #keep(container: Container): void {
    this.#ready.add(container);
    void container.connection.closed.then(async () => {
      // It ended while it was nobody's.
      if (this.#ready.delete(container)) await container.home.remove().catch(() => {});
    });
  }

  /** Takes over what a process before this one parked, and removes what it left half made. */
  async #adopt(): Promise<void> {
    await this.#layout.prepare();
    const guest = await currentGuest();
    await Promise.all((await this.#layout.parkedHomes()).map((home) => this.#adoptHome(home, guest)));
    const stranded = await this.#engine.list(`dev.atoll.owner=${ownerOf(this.#layout)}`, "created");
    for (const { Id, Labels } of stranded)
      if (!isAlive(Number(Labels["dev.atoll.maker"]))) await this.#engine.remove(Id);
  }

  async #adoptHome(home: Home, guest: string): Promise<void> {
    const note = await home.readNote();
    if (note && isAlive(note.maker)) return;
    await moveBack(this.#layout, home);
    try {
      if (note === undefined) throw new Error(`${basename(home.folder)} belongs to no container`);
      const container = await holdContainer(home, note.name, note.shape);
      if (note.guest === guest) this.#keep(container);
      else await container.connection.close();
    } catch {
      await home.remove();
    }
  }
}

function poolSize(): number {
  return Number(process.env["ATOLL_POOL_SIZE"] ?? defaultSize);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
