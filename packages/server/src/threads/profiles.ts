import type { DataProfile } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";

const maxKept = 256;

/** The latest profile of each thread's files: a reading of its log, kept at hand for the threads used last. */
export class Profiles {
  readonly #log: ThreadLog;
  readonly #kept = new Map<string, DataProfile>();

  constructor(log: ThreadLog) {
    this.#log = log;
  }

  latest(threadId: string): DataProfile | undefined {
    const data = this.#kept.get(threadId) ?? this.#read(threadId);
    if (data) this.#keep(threadId, data);
    return data;
  }

  async append(threadId: string, data: DataProfile): Promise<void> {
    await this.#log.append(threadId, [{ event: { type: "data", data } }]);
    this.#keep(threadId, data);
  }

  forget(threadId: string): void {
    this.#kept.delete(threadId);
  }

  #read(threadId: string): DataProfile | undefined {
    const [event] = this.#log.read(threadId, { types: ["data"], last: 1 });
    return event?.type === "data" ? event.data : undefined;
  }

  #keep(threadId: string, data: DataProfile): void {
    this.#kept.delete(threadId);
    this.#kept.set(threadId, data);
    const [eldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && eldest !== undefined) this.#kept.delete(eldest);
  }
}
