import { defaultLimits, type Driver, type Limits } from "@atoll/sandbox";

/** What a thread's user may choose of its sandbox's limits. */
export type LimitChoice = Partial<ChosenLimits>;
export type ChosenLimits = Pick<Limits, "memoryBytes" | "cpus" | "diskBytes" | "timeoutMs">;

type Settings = { readonly limits?: LimitChoice; readonly runtime?: string };
type Runtime = Pick<Driver, "defaultLimits" | "datasetBytes">;

/** What threads' sandboxes may use: what is chosen, or else what is usual there, within what the operator allows. */
export class ThreadLimits {
  readonly most: ChosenLimits;
  readonly #runtime: Runtime;

  /** `runtime`: the server's own. */
  constructor(most: ChosenLimits, runtime: Runtime = {}) {
    this.most = most;
    this.#runtime = runtime;
  }

  /** The most that may be asked for, in words, if this is more than that. */
  whyTooMuch(choice: LimitChoice): string | undefined {
    const [name] = names.filter((each) => (choice[each] ?? 0) > this.most[each]);
    return name && `this server allows no more than ${describe(name, this.most[name])}`;
  }

  /** What holds for a thread, whatever it chose. The operator may have narrowed it since. */
  of(settings: Settings = {}): ChosenLimits {
    const usual = this.#runtimeOf(settings).defaultLimits ?? defaultLimits;
    const pick = (name: keyof ChosenLimits) =>
      Math.min(settings.limits?.[name] ?? usual[name], this.most[name]);
    return {
      memoryBytes: pick("memoryBytes"),
      cpus: pick("cpus"),
      diskBytes: pick("diskBytes"),
      timeoutMs: pick("timeoutMs"),
    };
  }

  /** How much of files fits into a thread's sandbox, where they are in its memory. */
  dataBytes(settings: Settings): number | undefined {
    return this.#runtimeOf(settings).datasetBytes?.(this.of(settings).memoryBytes);
  }

  /** One with two runtimes keeps what is large in CPython. */
  #runtimeOf({ runtime }: Settings): Runtime {
    return runtime === "auto" ? {} : this.#runtime;
  }
}

const names = ["memoryBytes", "cpus", "diskBytes", "timeoutMs"] as const;

function describe(name: keyof ChosenLimits, most: number): string {
  if (name === "cpus") return `${most} processor cores`;
  if (name === "timeoutMs") return `${most / 1000} seconds for a run`;
  return `${Math.floor(most / 1024 / 1024)} MB of ${name === "memoryBytes" ? "memory" : "disk"}`;
}
