import { AtollError, type SandboxHandle } from "@atoll/sandbox";
import type { StateChangeReason, WakeOptions, Woken } from "./contract.ts";
import type { Departures } from "./suspend.ts";
import { guardSandbox, type Use, type UseKind } from "./auto-wake.ts";
import { isDeath, isRunning, type Parts } from "./context.ts";
import type { Resident } from "./thread-sandbox.ts";
import { openSandbox } from "./waking.ts";

/** On the way up: new, warm or cold → hot. Each in the thread's turn. */
export class Arrivals {
  readonly #parts: Parts;
  readonly #departures: Departures;
  readonly #waking = new Map<string, Promise<Woken>>();

  constructor(parts: Parts, departures: Departures) {
    this.#parts = parts;
    this.#departures = departures;
  }

  async wake(threadId: string, given: WakeOptions): Promise<Woken> {
    const { residents, facts } = this.#parts;
    const startMs = performance.now();
    const resident = residents.get(threadId);
    // A hot one is handed out past everything that waits for its turn, as a checkpoint may.
    if (isReady(resident) && (await isRunning(resident.handle)) && isReady(resident)) {
      facts.setGiven(threadId, given);
      residents.touch(resident);
      return this.#handOut(resident, { from: "hot", wakeMs: performance.now() - startMs });
    }
    return this.#wakeOnce(threadId, () => given);
  }

  /** In the thread's turn. */
  async wakeNow(threadId: string, given: WakeOptions): Promise<Woken> {
    const { residents, costs, claims, makeRoom } = this.#parts;
    const startMs = performance.now();
    const present = residents.get(threadId);
    const state = present && (await this.#revive(present));
    if (present && state) {
      const wakeMs = performance.now() - startMs;
      if (state === "warm") costs.record(threadId, "warm", wakeMs);
      return this.#handOut(present, { from: state, wakeMs });
    }
    await makeRoom();
    const { handle, ...found } = await openSandbox(threadId, given, claims);
    const wakeMs = performance.now() - startMs;
    if (found.from !== "new") costs.record(threadId, found.from, wakeMs);
    const wasLiving = found.from === "hot" || found.from === "warm";
    return this.welcome(threadId, handle, wasLiving ? "adopted" : "used", { ...found, wakeMs });
  }

  /** Takes a running sandbox in, in the thread's turn. */
  welcome(
    threadId: string,
    handle: SandboxHandle,
    reason: StateChangeReason,
    woken: Omit<Woken, "sandbox">,
  ): Woken {
    const resident = this.admit(threadId, handle, "hot");
    // Of one that is not new, nobody here knows what was done with it since its latest checkpoint.
    resident.isTouched = woken.from !== "new" && resident.isChanged;
    const { restored = [], ...facts } = woken;
    this.#parts.announce(threadId, { ...facts, restored, to: "hot", reason });
    this.#parts.onMore();
    return this.#handOut(resident, woken);
  }

  /** Takes a living sandbox in as it is. */
  admit(threadId: string, handle: SandboxHandle, state: "hot" | "warm"): Resident {
    const { residents, facts, alarms } = this.#parts;
    const resident = residents.add(threadId, handle, state);
    const before = facts.cold(threadId);
    if (before) resident.isChanged = resident.hasRunPython = before.isChanged;
    facts.setCold(threadId, undefined);
    alarms.setFor(resident);
    return resident;
  }

  /** Begins one use of the thread's sandbox, which is woken for it if need be. */
  async begin(threadId: string, kind: UseKind): Promise<Use> {
    while (true) {
      const resident = this.#parts.residents.get(threadId);
      if (!isReady(resident)) await this.#wakeOnce(threadId, () => this.#givenOrRefuse(threadId));
      else if (kind.isChange && resident.recording) await resident.recording;
      else return this.#use(resident, kind);
    }
  }

  /** Callers at the same time share one wake. `given` is asked for in the thread's turn. */
  #wakeOnce(threadId: string, given: () => WakeOptions): Promise<Woken> {
    const known = this.#waking.get(threadId);
    if (known) return known;
    const woken = this.#parts.mutex.run(threadId, async () => {
      const options = given();
      this.#parts.facts.setGiven(threadId, options);
      return this.wakeNow(threadId, options);
    });
    this.#waking.set(threadId, woken);
    const forget = () => this.#waking.delete(threadId);
    woken.then(forget, forget);
    return woken;
  }

  /** Whoever still has the sandbox of a thread that was removed does not bring it back. */
  #givenOrRefuse(threadId: string): WakeOptions {
    const given = this.#parts.facts.given(threadId);
    if (!given) throw new AtollError("sandbox_dead", "this thread's sandbox was removed");
    return given;
  }

  #use(resident: Resident, { isChange, isPython }: UseKind): Use {
    const { residents } = this.#parts;
    residents.beginUse(resident);
    if (isChange) resident.isChanged = true;
    if (isChange && isPython) resident.hasRunPython = true;
    if (isChange && !isPython) resident.isTouched = true;
    return {
      sandbox: resident.handle,
      end: (error) => {
        residents.endUse(resident);
        if (isDeath(error)) this.#departures.forget(resident);
      },
    };
  }

  #handOut({ threadId, handle }: Resident, woken: Pick<Woken, "from" | "wakeMs"> & Partial<Woken>): Woken {
    const describe = () => (this.#parts.residents.get(threadId)?.handle ?? handle).info;
    const sandbox = guardSandbox(describe, (kind) => this.begin(threadId, kind));
    return { isFresh: false, lost: [], ...woken, sandbox };
  }

  /** The state it was in; undefined when it has ended. */
  async #revive(resident: Resident): Promise<"hot" | "warm" | undefined> {
    const { residents, alarms, announce, clock, onMore } = this.#parts;
    const { threadId, handle, state } = resident;
    const startMs = performance.now();
    try {
      if (state === "warm") {
        await handle.resume();
        Object.assign(resident, { state: "hot", sinceMs: clock.now(), metricsWhenFrozen: undefined });
        const wakeMs = performance.now() - startMs;
        announce(threadId, { from: "warm", to: "hot", reason: "used", wakeMs });
        onMore();
      }
      if (state === "warm" || (await isRunning(handle))) {
        residents.touch(resident);
        if (state === "warm") alarms.setFor(resident);
        return state;
      }
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
    this.#departures.forget(resident);
    return undefined;
  }
}

function isReady(resident: Resident | undefined): resident is Resident {
  return resident?.state === "hot" && !resident.isLeaving;
}
