import type { CallOptions } from "../../contract/call.ts";
import type { Commands } from "../../contract/commands.ts";
import type { Files } from "../../contract/files.ts";
import type { NetworkPolicy } from "../../contract/network.ts";
import type { Python } from "../../contract/python.ts";
import type {
  CreateOptions,
  DestroyOptions,
  ForkedSandbox,
  ForkOptions,
  Restored,
  RestoreOptions,
  Sandbox,
  SandboxHandle,
  SandboxInfo,
  SandboxState,
  Snapshot,
  SnapshotOptions,
} from "../../contract/sandbox.ts";
import type { Env, Metrics, Ports, Processes } from "../../contract/system.ts";
import type { Trees } from "../../contract/trees.ts";
import { forkSandbox } from "../../guest/fork.ts";
import { restrict } from "../../guest/restrict.ts";
import type { Kernels } from "./variables/kernels.ts";
import type { Pair } from "./pair.ts";
import { restorePair, snapshotPair } from "./variables/pair-snapshots.ts";

export interface RoutedParts {
  readonly pair: Pair;
  readonly kernels: Kernels;
  readonly python: Python;
  readonly files: Files;
  readonly trees: Trees;
  readonly env: Env;
  info(): SandboxInfo;
  setNetwork(policy: NetworkPolicy): Promise<void>;
  createAnother(options: CreateOptions): Promise<SandboxHandle>;
  /** What is kept of it on the host, once its sandboxes have ended. */
  cleanUp(options: { keepFiles: boolean }): Promise<void>;
}

/** Two sandboxes as one: runs go to either, everything else to the one that can. */
export class RoutedSandbox implements SandboxHandle {
  readonly id: string;
  readonly python: Python;
  readonly commands: Commands;
  readonly files: Files;
  readonly ports: Ports;
  readonly env: Env;
  readonly processes: Processes;
  readonly trees: Trees;
  readonly #parts: RoutedParts;
  #destroyed: Promise<void> | undefined;

  constructor(parts: RoutedParts) {
    const { pair } = parts;
    this.#parts = parts;
    this.id = parts.info().id;
    this.python = parts.python;
    this.files = parts.files;
    this.trees = parts.trees;
    this.env = parts.env;
    this.commands = createCommands(pair);
    this.ports = {
      list: (options) => listStarted(pair, (heavy) => heavy.ports.list(options)),
      connect: async (port, options) => (await pair.heavy()).ports.connect(port, options),
      url: async (port, options) => (await pair.heavy()).ports.url(port, options),
    };
    this.processes = {
      list: async (options) => (await pair.home()).processes.list(options),
      kill: async (pid, options) => (await pair.home()).processes.kill(pid, options),
    };
  }

  get info(): SandboxInfo {
    return this.#parts.info();
  }

  async metrics(options?: CallOptions): Promise<Metrics> {
    const heavy = await this.#parts.pair.startedHeavy();
    const one = await this.#parts.pair.light.metrics(options);
    const other = await heavy?.metrics(options);
    if (!other) return one;
    return {
      ...other,
      cpuMs: one.cpuMs + other.cpuMs,
      memoryBytes: one.memoryBytes + other.memoryBytes,
      memoryLimitBytes: one.memoryLimitBytes + other.memoryLimitBytes,
      processes: one.processes + other.processes,
      uptimeMs: Math.max(one.uptimeMs, other.uptimeMs),
    };
  }

  /** That of the sandbox which has the files: a new light one can be had at any time. */
  async state(): Promise<SandboxState> {
    const { pair } = this.#parts;
    const heavy = await pair.startedHeavy();
    return (heavy ?? pair.light).state();
  }

  async pause(options?: CallOptions): Promise<void> {
    const { pair } = this.#parts;
    await pair.each((handle) => handle.pause(options));
    pair.isPaused = true;
  }

  async resume(options?: CallOptions): Promise<void> {
    const { pair } = this.#parts;
    await pair.each((handle) => handle.resume(options));
    pair.isPaused = false;
  }

  snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return snapshotPair(this.#parts.pair, this.#parts.kernels, options);
  }

  restore(options: RestoreOptions = {}): Promise<Restored> {
    return restorePair(this.#parts.pair, this.#parts.kernels, options);
  }

  async fork(options: ForkOptions = {}): Promise<ForkedSandbox> {
    const { target, report } = await forkSandbox(this, this.#parts.createAnother, options);
    return Object.assign(target, { forked: report });
  }

  destroy({ keepFiles = false, ...options }: DestroyOptions = {}): Promise<void> {
    this.#destroyed ??= this.#destroy(keepFiles, options).catch((error: unknown) => {
      this.#destroyed = undefined;
      throw error;
    });
    return this.#destroyed;
  }

  async detach(): Promise<void> {
    await this.#parts.pair.each((handle) => handle.detach());
  }

  setNetwork(policy: NetworkPolicy): Promise<void> {
    return this.#parts.setNetwork(policy);
  }

  restricted(): Sandbox {
    return restrict(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.destroy();
  }

  /** One set of files is kept: the heavy sandbox's, if there is one. */
  async #destroy(keepFiles: boolean, options: CallOptions): Promise<void> {
    const { pair, cleanUp } = this.#parts;
    const heavy = await pair.startedHeavy();
    let isUnited = true;
    if (keepFiles && heavy) {
      if (pair.isPaused) await this.resume();
      isUnited = await pair.unite().then(
        () => true,
        () => false,
      );
    }
    await heavy?.destroy({ keepFiles, ...options });
    await pair.light.destroy({ keepFiles: keepFiles && !(heavy && isUnited), ...options });
    pair.isDestroyed = true;
    await cleanUp({ keepFiles });
  }
}

/** Without a heavy sandbox there is nothing to list, and none is started for it. */
async function listStarted<Item>(
  pair: Pair,
  list: (heavy: SandboxHandle) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const heavy = await pair.startedHeavy();
  if (heavy) return list(heavy);
  pair.checkUsable();
  return [];
}

function createCommands(pair: Pair): Commands {
  return {
    async run(command, options) {
      const heavy = await pair.heavy();
      try {
        return await heavy.commands.run(command, options);
      } finally {
        pair.touched();
      }
    },
    async spawn(command, options) {
      const heavy = await pair.heavy();
      pair.touched({ isRestless: true });
      return heavy.commands.spawn(command, options);
    },
    list: (options) => listStarted(pair, (heavy) => heavy.commands.list(options)),
    get: async (commandId, options) => (await pair.heavy()).commands.get(commandId, options),
  };
}
