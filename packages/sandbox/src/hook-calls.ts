import type { Duplex } from "node:stream";
import type { Commands } from "./contract/commands.ts";
import type { Files } from "./contract/files.ts";
import type { Python, PythonRunOptions, RunResult } from "./contract/python.ts";
import type { Sandbox, SandboxInfo } from "./contract/sandbox.ts";
import type { Env, Ports, Processes } from "./contract/system.ts";

export interface CallHooks {
  /** Called before every call. The call goes to the sandbox that it resolves with. */
  beforeCall?(call: SandboxCall): Promise<OngoingCall>;
  /** Called for every run of Python code. Must call `run` and resolve with its result. */
  aroundPythonRun?(run: () => Promise<RunResult>, options: PythonRunOptions): Promise<RunResult>;
  /** Default: the `info` of the hooked sandbox. */
  info?(): SandboxInfo;
}

export interface SandboxCall {
  readonly method: SandboxMethod;
  /** It may change files, variables or the environment. */
  readonly isChange: boolean;
}

export type SandboxMethod =
  | `python.${keyof Python}`
  | `commands.${keyof Commands}`
  | `files.${keyof Files}`
  | `ports.${keyof Ports}`
  | `env.${keyof Env}`
  | `processes.${keyof Processes}`
  | "metrics";

export interface OngoingCall {
  readonly sandbox: Sandbox;
  /** Called when the call has ended. `error`: what it failed with. A stream ends when it is closed. */
  end(error?: unknown): void;
}

/**
 * The same sandbox with hooks around its calls. Works for the sandboxes of every driver.
 *
 *     const counted = hookCalls(sandbox, {
 *       async beforeCall({ method }) {
 *         count(method);
 *         return { sandbox, end() {} };
 *       },
 *     });
 */
export function hookCalls(sandbox: Sandbox, hooks: CallHooks): Sandbox {
  const { beforeCall, aroundPythonRun = (run) => run(), info = () => sandbox.info } = hooks;
  const calls = new Calls(beforeCall ?? (async () => ({ sandbox, end() {} })));
  const namespaces = beforeCall
    ? {
        commands: hookCommands(calls),
        files: hookFiles(calls),
        ports: hookPorts(calls),
        env: hookEnv(calls),
        processes: hookProcesses(calls),
      }
    : sandbox;
  const { commands, files, ports, env, processes } = namespaces;
  return {
    id: sandbox.id,
    get info() {
      return info();
    },
    python: hookPython(calls, aroundPythonRun),
    commands,
    files,
    ports,
    env,
    processes,
    metrics: (options) => calls.read("metrics", (target) => target.metrics(options)),
  };
}

function hookPython(calls: Calls, aroundRun: NonNullable<CallHooks["aroundPythonRun"]>): Python {
  return {
    run: (code, options) =>
      aroundRun(() => calls.change("python.run", ({ python }) => python.run(code, options)), options ?? {}),
    createContext: (options) =>
      calls.change("python.createContext", ({ python }) => python.createContext(options)),
    contexts: (options) => calls.read("python.contexts", ({ python }) => python.contexts(options)),
    restart: (context, options) =>
      calls.change("python.restart", ({ python }) => python.restart(context, options)),
    removeContext: (context, options) =>
      calls.change("python.removeContext", ({ python }) => python.removeContext(context, options)),
    interrupt: (context, options) =>
      calls.read("python.interrupt", ({ python }) => python.interrupt(context, options)),
    table: (tableId, query) => calls.read("python.table", ({ python }) => python.table(tableId, query)),
    tableCsv: (tableId, query) =>
      calls.read("python.tableCsv", ({ python }) => python.tableCsv(tableId, query)),
    variables: (options) => calls.read("python.variables", ({ python }) => python.variables(options)),
    removeVariable: (name, options) =>
      calls.change("python.removeVariable", ({ python }) => python.removeVariable(name, options)),
  };
}

function hookCommands(calls: Calls): Commands {
  return {
    run: (command, options) => calls.change("commands.run", ({ commands }) => commands.run(command, options)),
    spawn: (command, options) =>
      calls.change("commands.spawn", ({ commands }) => commands.spawn(command, options)),
    list: (options) => calls.read("commands.list", ({ commands }) => commands.list(options)),
    get: (commandId, options) =>
      calls.read("commands.get", ({ commands }) => commands.get(commandId, options)),
  };
}

function hookFiles(calls: Calls): Files {
  return {
    read: (path, options) => calls.read("files.read", ({ files }) => files.read(path, options)),
    readText: (path, options) => calls.read("files.readText", ({ files }) => files.readText(path, options)),
    readStream: (path, options) =>
      ReadableStream.from(calls.iterate("files.readStream", ({ files }) => files.readStream(path, options))),
    write: (path, data, options) =>
      calls.change("files.write", ({ files }) => files.write(path, data, options)),
    list: (path, options) => calls.read("files.list", ({ files }) => files.list(path, options)),
    stat: (path, options) => calls.read("files.stat", ({ files }) => files.stat(path, options)),
    exists: (path, options) => calls.read("files.exists", ({ files }) => files.exists(path, options)),
    mkdir: (path, options) => calls.change("files.mkdir", ({ files }) => files.mkdir(path, options)),
    move: (from, to, options) => calls.change("files.move", ({ files }) => files.move(from, to, options)),
    remove: (path, options) => calls.change("files.remove", ({ files }) => files.remove(path, options)),
    watch: (path, options) => calls.iterate("files.watch", ({ files }) => files.watch(path, options)),
    glob: (pattern, options) => calls.read("files.glob", ({ files }) => files.glob(pattern, options)),
    grep: (pattern, options) => calls.read("files.grep", ({ files }) => files.grep(pattern, options)),
  };
}

function hookPorts(calls: Calls): Ports {
  return {
    list: (options) => calls.read("ports.list", ({ ports }) => ports.list(options)),
    connect: (port, options) => calls.connect("ports.connect", ({ ports }) => ports.connect(port, options)),
    url: (port, options) => calls.read("ports.url", ({ ports }) => ports.url(port, options)),
  };
}

function hookEnv(calls: Calls): Env {
  return {
    get: (name, options) => calls.read("env.get", ({ env }) => env.get(name, options)),
    set: (values, options) => calls.change("env.set", ({ env }) => env.set(values, options)),
    list: (options) => calls.read("env.list", ({ env }) => env.list(options)),
  };
}

function hookProcesses(calls: Calls): Processes {
  return {
    list: (options) => calls.read("processes.list", ({ processes }) => processes.list(options)),
    kill: (pid, options) => calls.read("processes.kill", ({ processes }) => processes.kill(pid, options)),
  };
}

/** Makes calls between `beforeCall` and `end`. */
class Calls {
  readonly #begin: NonNullable<CallHooks["beforeCall"]>;

  constructor(begin: NonNullable<CallHooks["beforeCall"]>) {
    this.#begin = begin;
  }

  read<Result>(method: SandboxMethod, perform: (target: Sandbox) => Promise<Result>): Promise<Result> {
    return this.#call({ method, isChange: false }, perform);
  }

  change<Result>(method: SandboxMethod, perform: (target: Sandbox) => Promise<Result>): Promise<Result> {
    return this.#call({ method, isChange: true }, perform);
  }

  /** Ends with the connection. */
  async connect(method: SandboxMethod, open: (target: Sandbox) => Promise<Duplex>): Promise<Duplex> {
    const call = await this.#begin({ method, isChange: false });
    try {
      const connection = await open(call.sandbox);
      connection.once("close", () => call.end());
      return connection;
    } catch (error) {
      call.end(error);
      throw error;
    }
  }

  /** Begins with the first item and ends with the last, or when the caller stops. */
  async *iterate<Item>(
    method: SandboxMethod,
    open: (target: Sandbox) => AsyncIterable<Item>,
  ): AsyncGenerator<Item, void, undefined> {
    const call = await this.#begin({ method, isChange: false });
    try {
      yield* open(call.sandbox);
    } finally {
      call.end();
    }
  }

  async #call<Result>(
    description: SandboxCall,
    perform: (target: Sandbox) => Promise<Result>,
  ): Promise<Result> {
    const call = await this.#begin(description);
    try {
      const result = await perform(call.sandbox);
      call.end();
      return result;
    } catch (error) {
      call.end(error);
      throw error;
    }
  }
}
