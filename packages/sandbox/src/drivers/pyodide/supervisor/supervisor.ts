import { posix } from "node:path";
import type { Metrics, ProcessInfo } from "../../../contract/system.ts";
import type { SandboxInfo } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import type { GuestCall, Reply } from "../../../guest/wire/connection.ts";
import { findFaultInReply } from "../../../guest/wire/replies.ts";
import { placeOf } from "../files/artifacts.ts";
import type { FileStore } from "../files/file-store.ts";
import type { Kernel } from "./kernel.ts";
import { Link } from "./link.ts";
import { Runs } from "./runs.ts";

type Params = Record<string, unknown>;
type Method = (params: Params, options: GuestCall) => Promise<unknown>;

const whilePaused = new Set(["hello", "state", "pause", "resume", "shutdown", "egress.env"]);
const beforeTheFence = new Set(["hello", "state"]);
/** What Python is told is its own. */
const kernelPid = 42;
const wantedElsewhere = "choose a runtime with a Linux inside (local, docker)";

export interface SupervisorOptions {
  readonly info: SandboxInfo;
  /** Name inside `/data` → path on the host. */
  readonly datasets: Readonly<Record<string, string>>;
  readonly kernel: Kernel;
  readonly store: FileStore;
  readonly env: Record<string, string>;
  readonly orphanTimeoutMs: number;
  /** It has ended, however that came. */
  onEnd(): void;
}

/**
 * What elsewhere is the first process inside a sandbox: answers its holders and looks after the kernel. Here it is in
 * the process of the host; what it hands on to the interpreter are the calls on files, and code to run.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #runs: Runs;
  readonly #links = new Set<Link>();
  readonly #methods: Readonly<Record<string, Method>>;
  readonly #startedAt = performance.now();
  #fence = 0;
  #isPaused = false;
  #ended: Promise<void> | undefined;
  #orphanTimer: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { kernel, store, info } = options;
    this.#runs = new Runs(kernel, store, info.paths, info.limits);
    this.#methods = this.#table();
  }

  get state(): "running" | "paused" | "dead" {
    return this.#ended ? "dead" : this.#isPaused ? "paused" : "running";
  }

  get info(): SandboxInfo {
    return this.#options.info;
  }

  get datasets(): Readonly<Record<string, string>> {
    return this.#options.datasets;
  }

  /** A further holder. One with a higher fence than those before cuts them off. */
  link(fence?: number): Link {
    if (this.#ended) throw dead(this.info.id);
    if (fence !== undefined && fence < this.#fence) throw takenOver();
    const link = new Link(
      (from, method, params, options) => this.#answer(from, method, params, options),
      (closed) => {
        this.#links.delete(closed);
        this.#expectHolder();
      },
    );
    this.#links.add(link);
    clearTimeout(this.#orphanTimer);
    if (fence !== undefined) this.#putFence(link, fence);
    return link;
  }

  /** Idempotent. Replies when nothing is left that could still write a file. */
  end(): Promise<void> {
    this.#ended ??= (async () => {
      clearTimeout(this.#orphanTimer);
      await this.#options.kernel.close();
      await this.#options.store.settled();
      this.#options.onEnd();
      for (const link of this.#links) link.cutOff(dead(this.info.id));
    })();
    return this.#ended;
  }

  #putFence(link: Link, fence: number): void {
    link.fence = fence;
    this.#fence = fence;
    for (const other of this.#links)
      if (other.fence < fence)
        other.cutOff(new AtollError("sandbox_dead", "another owner has taken this sandbox over"));
  }

  #expectHolder(): void {
    if (this.#links.size > 0 || this.#ended) return;
    const { orphanTimeoutMs } = this.#options;
    this.#orphanTimer = setTimeout(() => void this.end().catch(() => {}), orphanTimeoutMs);
    this.#orphanTimer.unref();
  }

  async #answer(link: Link, method: string, params: Params, options: GuestCall): Promise<Reply<unknown>> {
    if (this.#ended && method !== "shutdown") throw dead(this.info.id);
    if (link.fence < this.#fence && !beforeTheFence.has(method)) throw takenOver();
    if (this.#isPaused && !whilePaused.has(method))
      throw new AtollError("sandbox_paused", "the sandbox is paused; call resume() first");
    const own = this.#methods[method];
    if (own) return { result: checked(method, await own(params, options)), body: new Uint8Array() };
    if (/^(files|trees)\./.test(method)) return this.#options.kernel.call(method, params, options);
    throw new AtollError("not_supported", `${method}: ${describeAbsence(method)}; ${wantedElsewhere}`);
  }

  #table(): Record<string, Method> {
    const { kernel, env, info } = this.#options;
    const runs = this.#runs;
    const inDefault = (params: Params) => {
      const { context = "default" } = params;
      if (context !== "default")
        throw new AtollError("not_found", `no kernel context ${JSON.stringify(context)}; there is: default`);
    };
    const snapshotPath = ({ path }: Params) =>
      typeof path === "string"
        ? posix.resolve(info.paths.workspace, path)
        : `${info.paths.session}/.snapshots/default.snapshot`;
    const look = async (operation: string, params: Params, options: GuestCall) => {
      inDefault(params);
      return runs.look(operation, params, options);
    };
    const setEnv = async ({ values }: Params) => {
      for (const [name, value] of Object.entries(values as Record<string, string | null>)) {
        if (value === null) Reflect.deleteProperty(env, name);
        else env[name] = value;
      }
      if (kernel.child) await kernel.call("kernel", { op: "env", values });
    };
    const state = async () => ({ id: info.id, state: this.state });
    return {
      hello: state,
      state,
      pause: async () => this.#pause(),
      resume: async () => this.#resume(),
      shutdown: () => this.end(),
      "env.get": async () => env,
      "env.set": setEnv,
      "egress.env": setEnv,
      metrics: (_, options) => this.#measure(options),
      "processes.list": (_, options) => this.#listProcesses(options),
      "processes.kill": (params) => this.#signal(params),
      "files.watch": (params, options) => this.#watch(params, options),
      "python.run": async (params, options) => {
        inDefault(params);
        return runs.run(params, options);
      },
      "python.contexts": async () => [
        { name: "default", isBusy: runs.isBusy, executionCount: kernel.executionCount },
      ],
      "python.create": async () => {
        throw new AtollError("not_supported", `a sandbox of this runtime has one kernel; ${wantedElsewhere}`);
      },
      "python.remove": async (params) => {
        inDefault(params);
        throw new AtollError("invalid_argument", "the context 'default' is always there; restart it instead");
      },
      "python.restart": async (params) => {
        inDefault(params);
        return runs.restart();
      },
      "python.interrupt": async (params) => {
        inDefault(params);
        runs.interrupt();
      },
      "python.table": (params, options) => look("table", params, options),
      "python.csv": (params, options) => look("csv", params, options),
      "python.variables": (params, options) => look("variables", params, options),
      "python.forget": (params, options) => look("forget", params, options),
      "python.snapshot": async (params, options) => {
        inDefault(params);
        return runs.snapshot(params, options, snapshotPath(params));
      },
      "python.restore": async (params, options) => {
        inDefault(params);
        return runs.restore(params, options, snapshotPath(params));
      },
    };
  }

  /** Stands still as a whole: interpreter and time-outs. */
  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#runs.pause();
    if (process.platform !== "win32") this.#options.kernel.child?.signal("SIGSTOP");
  }

  #resume(): void {
    if (!this.#isPaused) return;
    if (process.platform !== "win32") this.#options.kernel.child?.signal("SIGCONT");
    this.#runs.resume();
    this.#isPaused = false;
  }

  async #measure(options: GuestCall): Promise<Metrics> {
    const { kernel, info } = this.#options;
    type Facts = Pick<Metrics, "cpuMs" | "memoryBytes" | "diskBytes">;
    const { result } = await kernel.call<Facts>("facts", {}, options);
    return {
      ...result,
      memoryLimitBytes: info.limits.memoryBytes,
      processes: 1,
      diskLimitBytes: info.limits.diskBytes,
      uptimeMs: performance.now() - this.#startedAt,
    };
  }

  async #listProcesses(options: GuestCall): Promise<ProcessInfo[]> {
    const { memoryBytes, cpuMs } = await this.#measure(options);
    const state = this.#runs.isBusy ? "R" : "S";
    return [
      {
        pid: kernelPid,
        parentPid: 0,
        name: "python",
        commandLine: "python (WebAssembly)",
        state,
        residentBytes: memoryBytes,
        cpuMs,
      },
    ];
  }

  async #signal({ pid, signal }: Params): Promise<void> {
    if (!/^SIG[A-Z0-9]+$/.test(String(signal)) || !knownSignals.has(String(signal)))
      throw new AtollError("invalid_argument", `there is no signal ${String(signal)}`);
    if (pid !== kernelPid) return;
    if (signal === "SIGINT") return this.#runs.interrupt();
    if (signal !== "SIGKILL" && signal !== "SIGTERM")
      throw new AtollError(
        "not_supported",
        `the interpreter can be sent SIGINT and SIGKILL; ${wantedElsewhere}`,
      );
    await this.#options.kernel.child?.kill();
  }

  /** Every change of a file is told to the host. */
  async #watch({ path }: Params, { signal, onEvent }: GuestCall): Promise<void> {
    const { kernel, store, info } = this.#options;
    const { result } = await kernel.call<{ path: string; kind: string }>("files.stat", { path }, { signal });
    if (result.kind !== "folder") throw new AtollError("not_a_folder", `not a folder: ${result.path}`);
    const prefix = result.path === "/" ? "/" : `${result.path}/`;
    const stop = store.watch(({ kind, root, path: below }) => {
      const place = placeOf(info.paths, root, below);
      if (place.startsWith(prefix))
        onEvent?.({ name: "change", data: { kind, path: place }, body: new Uint8Array() });
    });
    try {
      onEvent?.({ name: "watching", data: {}, body: new Uint8Array() });
      await new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
    } finally {
      stop();
    }
  }
}

const knownSignals = new Set(["SIGINT", "SIGKILL", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT"]);

function describeAbsence(method: string): string {
  if (method.startsWith("commands.")) return "this runtime has no shell and starts no programs";
  if (method.startsWith("ports.")) return "this runtime has no ports";
  return "this runtime has no network";
}

/** Some of it was made where user code runs. */
function checked(method: string, result: unknown): unknown {
  const fault = findFaultInReply(method, result);
  if (fault !== undefined) throw new AtollError("protocol_error", `the kernel broke the protocol: ${fault}`);
  return result;
}

function dead(id: string): AtollError {
  return new AtollError("sandbox_dead", `the sandbox ${id} has ended`);
}

function takenOver(): AtollError {
  return new AtollError("not_owner", "another owner has taken this sandbox over");
}
