import { isDeepStrictEqual } from "node:util";
import type { CallOptions } from "../contract/call.ts";
import type { Commands } from "../contract/commands.ts";
import type { AttachOptions } from "../contract/driver.ts";
import type { Files } from "../contract/files.ts";
import type { Limits } from "../contract/limits.ts";
import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";
import type { Python } from "../contract/python.ts";
import type {
  CreateOptions,
  DestroyOptions,
  ForkedSandbox,
  ForkOptions,
  ForkReport,
  Restored,
  RestoreOptions,
  Sandbox,
  SandboxHandle,
  SandboxInfo,
  SandboxState,
  Snapshot,
  SnapshotOptions,
} from "../contract/sandbox.ts";
import type { Env, Metrics, Ports, Processes } from "../contract/system.ts";
import type { Trees } from "../contract/trees.ts";
import { checkNetwork } from "../drivers/_shared/create-options.ts";
import { AtollError } from "../errors.ts";
import { networkEnv } from "../network/inside.ts";
import { createCommands } from "./commands.ts";
import type { GuestCall, Reply } from "./wire/connection.ts";
import { openEgress } from "./egress.ts";
import { createFiles } from "./files.ts";
import { forkSandbox } from "./fork.ts";
import { type Guest, type GuestLink, withTimeout } from "./wire/guest.ts";
import { createPython } from "./python.ts";
import { restrict } from "./restrict.ts";
import { createEnv, createPorts, createProcesses } from "./system.ts";
import { createTrees } from "./trees.ts";

const snapshotTimeoutMs = 600_000;
/** A guest that has not ended by then is ended from outside. */
const shutdownPatienceMs = 2000;
const DEFAULT_MAX_VALUE_BYTES = 256 * 1024 * 1024;
export const DEFAULT_MAX_SNAPSHOT_BYTES = 1024 * 1024 * 1024;

/** What a driver adds to the guest that it started. */
export interface GuestHost {
  dial(): Promise<GuestLink>;
  readonly copies: string;
  /** For whoever attaches later. */
  saveInfo(info: SandboxInfo): Promise<void>;
  /** A sandbox of the same kind in the same place, with the same datasets unless others are given. */
  createAnother?(options: CreateOptions): Promise<SandboxHandle>;
  /** Ends the guest and all it started without its cooperation. True when nothing of it runs any more. */
  kill(): Promise<boolean>;
  /** Removes what is left on the host once the guest has ended. */
  cleanUp(options: { keepFiles: boolean }): Promise<void>;
}

/** A sandbox whose inside is our own guest, however the driver got it running. */
export class GuestSandbox implements SandboxHandle, Guest {
  readonly id: string;
  readonly python: Python;
  readonly commands: Commands;
  readonly files: Files;
  readonly ports: Ports;
  readonly env: Env;
  readonly processes: Processes;
  readonly trees: Trees;
  readonly #connection: GuestLink;
  readonly #host: GuestHost;
  #info: SandboxInfo;
  readonly #closePorts: () => Promise<void>;
  #destroyed: Promise<void> | undefined;
  #egress: EgressOptions | undefined;
  #closeEgress: (() => Promise<void>) | undefined;

  constructor(info: SandboxInfo, connection: GuestLink, host: GuestHost) {
    this.id = info.id;
    this.#info = info;
    this.#connection = connection;
    this.#host = host;
    this.python = createPython(this);
    this.commands = createCommands(this);
    this.files = createFiles(this);
    const { close, ...ports } = createPorts(this, info.capabilities.ports);
    this.ports = ports;
    this.#closePorts = close;
    this.env = createEnv(this);
    this.processes = createProcesses(this);
    this.trees = createTrees(this, this.files, info.paths);
  }

  /** Opens the way out that the policy of the sandbox gives, for as long as this handle is used. */
  async openNetwork(egress: EgressOptions | undefined): Promise<this> {
    const { network = "none" } = this.info;
    this.#egress = egress;
    if (network !== "none" || egress?.services)
      this.#closeEgress = (await openEgress(() => this.dial(), network, egress)).close;
    return this;
  }

  /** The same for whoever joins it, whose policy and means may be others than those it was made with. */
  async joinNetwork({ network, egress }: Pick<AttachOptions, "network" | "egress">): Promise<this> {
    const policy = this.info.network ?? "none";
    this.#egress = egress;
    if (network !== undefined && !isDeepStrictEqual(network, policy)) await this.#noteNetwork(network);
    else if (egress !== undefined) await this.#tellEnv(networkEnv(policy, egress));
    return this.openNetwork(egress);
  }

  async setNetwork(policy: NetworkPolicy): Promise<void> {
    const network = checkNetwork(policy, this.info.capabilities);
    const close = this.#closeEgress;
    this.#closeEgress = undefined;
    await close?.();
    await this.#noteNetwork(network);
    await this.openNetwork(this.#egress);
  }

  get info(): SandboxInfo {
    return this.#info;
  }

  get limits(): Limits {
    return this.info.limits;
  }

  call<Result>(
    method: string,
    params?: Record<string, unknown>,
    options?: GuestCall,
  ): Promise<Reply<Result>> {
    return this.#connection.call(method, params, options);
  }

  dial(): Promise<GuestLink> {
    return this.#host.dial();
  }

  get copies(): string {
    return this.#host.copies;
  }

  async metrics(options: CallOptions = {}): Promise<Metrics> {
    return (await this.call<Metrics>("metrics", {}, withTimeout(options))).result;
  }

  async state(): Promise<SandboxState> {
    try {
      return (await this.call<{ state: SandboxState }>("state", {}, withTimeout())).result.state;
    } catch (error) {
      if (error instanceof AtollError && error.code === "sandbox_dead") return "dead";
      throw error;
    }
  }

  async pause(options: CallOptions = {}): Promise<void> {
    await this.#lifecycle("pause", options);
  }

  async resume(options: CallOptions = {}): Promise<void> {
    await this.#lifecycle("resume", options);
  }

  async snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    const {
      context = "default",
      maxValueBytes = DEFAULT_MAX_VALUE_BYTES,
      maxBytes = DEFAULT_MAX_SNAPSHOT_BYTES,
    } = options;
    const { timeoutMs = snapshotTimeoutMs, signal, path, only, leaveOut } = options;
    const params = { context, maxValueBytes, maxBytes, timeoutMs, path, only, leaveOut };
    return (await this.call<Snapshot>("python.snapshot", params, { signal, timeoutMs: timeoutMs + 5000 }))
      .result;
  }

  async restore(options: RestoreOptions = {}): Promise<Restored> {
    const { context = "default", path, timeoutMs = snapshotTimeoutMs, signal, isAdded, forget } = options;
    const params = { context, path, timeoutMs, isAdded, forget };
    return (await this.call<Restored>("python.restore", params, { signal, timeoutMs: timeoutMs + 5000 }))
      .result;
  }

  async fork(options: ForkOptions = {}): Promise<ForkedSandbox> {
    const { createAnother } = this.#host;
    if (!createAnother)
      throw new AtollError("not_supported", `the ${this.info.driver} runtime cannot fork a sandbox`);
    const egress = this.#egress && { egress: this.#egress };
    const { target, report } = await forkSandbox(this, createAnother, { ...egress, ...options });
    return Object.assign(target, { forked: report satisfies ForkReport });
  }

  destroy({ keepFiles = false, ...options }: DestroyOptions = {}): Promise<void> {
    this.#destroyed ??= this.#destroy(keepFiles, options);
    return this.#destroyed;
  }

  async detach(): Promise<void> {
    await this.#closePorts();
    await this.#closeEgress?.();
    await this.#connection.close();
  }

  restricted(): Sandbox {
    return restrict(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }

  async #noteNetwork(network: NetworkPolicy): Promise<void> {
    const { network: before = "none" } = this.info;
    this.#info = { ...this.#info, network };
    await this.#host.saveInfo(this.#info);
    const outdated = Object.keys(networkEnv(before, this.#egress)).map((name) => [name, null]);
    await this.#tellEnv({ ...Object.fromEntries(outdated), ...networkEnv(network, this.#egress) });
  }

  /** Also while it is paused. */
  async #tellEnv(values: Readonly<Record<string, string | null>>): Promise<void> {
    if (Object.keys(values).length > 0) await this.call("egress.env", { values }, withTimeout());
  }

  async #lifecycle(method: string, options: CallOptions): Promise<void> {
    await this.call(method, {}, withTimeout(options));
  }

  /** One that has ended has done what was asked. One that only its owner may end is not ended by force either. */
  async #shutDown({ timeoutMs = shutdownPatienceMs, signal }: CallOptions): Promise<void> {
    try {
      await this.call("shutdown", {}, { signal, timeoutMs: Math.min(timeoutMs, shutdownPatienceMs) });
    } catch (error) {
      const code = error instanceof AtollError ? error.code : "internal";
      if (code === "sandbox_dead") return;
      if (code === "not_owner" || code === "aborted" || !(await this.#host.kill())) throw error;
    }
  }

  async #destroy(keepFiles: boolean, options: CallOptions): Promise<void> {
    try {
      await this.#shutDown(options);
    } catch (error) {
      this.#destroyed = undefined;
      throw error;
    }
    await this.detach();
    await this.#host.cleanUp({ keepFiles });
  }
}
