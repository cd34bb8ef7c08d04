import { isDeepStrictEqual } from "node:util";
import { Sandbox } from "@atoll/sandbox";
import type { StateChangeReason } from "./contract.ts";
import { isDeath, type Parts } from "./context.ts";
import type { Resident } from "./thread-sandbox.ts";
import { isAtWork, restSandbox } from "./resting.ts";
import { findLiving } from "./waking.ts";

/** On the way down: hot → warm → cold → removed. Each in the thread's turn. */
export class Departures {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Hot → warm; false when something goes on in it. */
  pauseIfIdle(threadId: string, reason: StateChangeReason): Promise<boolean> {
    const { residents, alarms, announce, clock } = this.#parts;
    return this.#inTurn(threadId, async (resident) => {
      const { handle } = resident;
      if (resident.state !== "hot" || !residents.isIdle(resident) || (await isAtWork(handle))) return false;
      const metrics = await handle.metrics();
      if (!residents.isIdle(resident)) return false;
      await leave(resident, () => handle.pause());
      Object.assign(resident, { state: "warm", sinceMs: clock.now(), metricsWhenFrozen: metrics });
      announce(threadId, { from: "hot", to: "warm", reason });
      alarms.setFor(resident);
      return true;
    });
  }

  /** To cold; false when something goes on in it. */
  evictIfIdle(threadId: string, reason: StateChangeReason): Promise<boolean> {
    const { residents } = this.#parts;
    return this.#inTurn(threadId, async (resident) => {
      if (!residents.isIdle(resident)) return false;
      if (resident.state === "hot" && (await isAtWork(resident.handle))) return false;
      if (!residents.isIdle(resident)) return false;
      await this.#rest(resident, reason);
      return true;
    });
  }

  /** To cold, whatever goes on in it. */
  async rest(threadId: string, reason: StateChangeReason): Promise<void> {
    await this.#inTurn(threadId, (resident) => this.#rest(resident, reason));
  }

  /** The same for whoever has the thread's turn. */
  async restNow(threadId: string, reason: StateChangeReason): Promise<void> {
    await this.#unlessDead(threadId, (resident) => this.#rest(resident, reason));
  }

  remove(threadId: string, reason: StateChangeReason): Promise<void> {
    const { residents, facts, mutex, alarms, costs, announce, claims } = this.#parts;
    return mutex.run(threadId, async () => {
      const common = await claims.take(threadId);
      facts.forget(threadId);
      alarms.clear(threadId);
      costs.forget(threadId);
      const resident = residents.get(threadId);
      const found = resident
        ? { handle: resident.handle, wasKnown: true }
        : await findLiving(threadId, common);
      if (!found.wasKnown) return;
      if (resident) resident.isLeaving = true;
      // One at rest is opened to be removed: only its driver knows where its files are.
      const { network: _, egress: __, ...place } = common;
      const handle = found.handle ?? (await Sandbox.create({ ...place, id: threadId }));
      const from = resident?.state ?? (found.handle ? "hot" : "cold");
      await handle.destroy();
      if (resident) residents.drop(resident);
      announce(threadId, { from, to: "removed", reason });
    });
  }

  /** As it is, for another server to join. */
  letGo(threadId: string): Promise<void> {
    const { residents, facts, mutex, costs } = this.#parts;
    return mutex.run(threadId, async () => {
      const resident = residents.get(threadId);
      if (resident) residents.drop(resident);
      facts.forget(threadId);
      costs.forget(threadId);
      await resident?.handle.detach();
    });
  }

  /** Under the policy that the thread has now; without a word where it has that one already. */
  renewNetwork(threadId: string): Promise<void> {
    const { residents, mutex, claims } = this.#parts;
    return mutex.run(threadId, async () => {
      const resident = residents.get(threadId);
      const { policy = "none" } = claims.network(threadId) ?? {};
      if (!resident || isDeepStrictEqual(policy, resident.handle.info.network ?? "none")) return;
      await resident.handle.setNetwork(policy).catch((error: unknown) => {
        if (!isDeath(error)) throw error;
        this.forget(resident);
      });
    });
  }

  /** It has ended by itself. */
  forget(resident: Resident): void {
    const { residents, announce } = this.#parts;
    const { threadId, handle, state } = resident;
    if (residents.get(threadId) !== resident) return;
    residents.drop(resident);
    handle.detach().catch(() => {});
    this.#setCold(resident, true);
    announce(threadId, { from: state, to: "cold", reason: "died" });
  }

  async #rest(resident: Resident, reason: StateChangeReason): Promise<boolean> {
    const { residents, announce } = this.#parts;
    const { threadId, state, isChanged } = resident;
    const lost = await leave(resident, () => restSandbox(resident.handle));
    residents.drop(resident);
    this.#setCold(resident, isChanged);
    announce(threadId, { from: state, to: "cold", reason, lost });
    return true;
  }

  #setCold({ threadId, lastUsedMs }: Resident, isChanged: boolean): void {
    const { facts, alarms, clock } = this.#parts;
    facts.setCold(threadId, { sinceMs: clock.now(), lastUsedMs, isChanged });
    alarms.setForCold(threadId, lastUsedMs);
  }

  #inTurn(threadId: string, move: (resident: Resident) => Promise<boolean>): Promise<boolean> {
    return this.#parts.mutex.run(threadId, () => this.#unlessDead(threadId, move));
  }

  async #unlessDead(threadId: string, move: (resident: Resident) => Promise<boolean>): Promise<boolean> {
    const resident = this.#parts.residents.get(threadId);
    if (!resident) return true;
    try {
      return await move(resident);
    } catch (error) {
      if (!isDeath(error)) throw error;
      this.forget(resident);
      return true;
    }
  }
}

/** Whoever comes to use it meanwhile waits, also when it stays where it was. */
async function leave<Result>(resident: Resident, move: () => Promise<Result>): Promise<Result> {
  resident.isLeaving = true;
  try {
    return await move();
  } finally {
    resident.isLeaving = false;
  }
}
