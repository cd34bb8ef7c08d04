import { readEvents } from "./events.ts";
import { createFiles, type Files } from "./files.ts";
import type {
  CommandOutput,
  CommandResult,
  CommandRun,
  NewSandbox,
  PythonResult,
  PythonRun,
  Restored,
  RunOutput,
  Sandbox,
  SandboxList,
  SandboxMetrics,
  SandboxTraffic,
  Snapshot,
} from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** What a streamed run tells; the last is `code_run`, or `error` when the sandbox failed. */
export type PythonEvent =
  | { readonly type: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }
  | ({ readonly type: "result" } & RunOutput)
  | ({ readonly type: "code_run" } & PythonResult)
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint: string };

type PythonOptions = Omit<PythonRun, "code"> & CallOptions;

/** Sandboxes for programs, without an agent. */
export class Sandboxes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(sandbox: NewSandbox = {}, { signal }: CallOptions = {}): Promise<Sandbox> {
    return this.#transport.call("createSandbox", { body: sandbox, signal });
  }

  list({ signal }: CallOptions = {}): Promise<SandboxList> {
    return this.#transport.call("listSandboxes", { signal });
  }

  get(sandboxId: string, { signal }: CallOptions = {}): Promise<Sandbox> {
    return this.#transport.call("getSandbox", { params: { sandbox_id: sandboxId }, signal });
  }

  async remove(
    sandboxId: string,
    { keepFiles, signal }: { keepFiles?: boolean } & CallOptions = {},
  ): Promise<void> {
    const query = keepFiles === undefined ? {} : { keep_files: keepFiles };
    await this.#transport.call("deleteSandbox", { params: { sandbox_id: sandboxId }, query, signal });
  }

  pause(sandboxId: string, { signal }: CallOptions = {}): Promise<Sandbox> {
    return this.#transport.call("pauseSandbox", { params: { sandbox_id: sandboxId }, signal });
  }

  resume(sandboxId: string, { signal }: CallOptions = {}): Promise<Sandbox> {
    return this.#transport.call("resumeSandbox", { params: { sandbox_id: sandboxId }, signal });
  }

  snapshot(sandboxId: string, { signal }: CallOptions = {}): Promise<Snapshot> {
    return this.#transport.call("snapshotSandbox", { params: { sandbox_id: sandboxId }, signal });
  }

  restore(sandboxId: string, { signal }: CallOptions = {}): Promise<Restored> {
    return this.#transport.call("restoreSandbox", { params: { sandbox_id: sandboxId }, signal });
  }

  metrics(sandboxId: string, { signal }: CallOptions = {}): Promise<SandboxMetrics> {
    return this.#transport.call("getSandboxMetrics", { params: { sandbox_id: sandboxId }, signal });
  }

  /** What it asked of the network, the newest first. */
  traffic(sandboxId: string, { signal }: CallOptions = {}): Promise<SandboxTraffic> {
    return this.#transport.call("getSandboxTraffic", { params: { sandbox_id: sandboxId }, signal });
  }

  /** Runs code in a live kernel. Aborting ends the run. */
  runPython(
    sandboxId: string,
    code: string,
    { signal, ...options }: PythonOptions = {},
  ): Promise<PythonResult> {
    return this.#transport.call("runPython", {
      params: { sandbox_id: sandboxId },
      body: { code, ...options },
      signal,
    });
  }

  /** The same with its output as it appears. */
  async *streamPython(
    sandboxId: string,
    code: string,
    { signal, ...options }: PythonOptions = {},
  ): AsyncGenerator<PythonEvent, void> {
    const response = await this.#transport.send("runPython", {
      params: { sandbox_id: sandboxId },
      body: { code, ...options },
      headers: { accept: "text/event-stream" },
      signal,
    });
    yield* readEvents<PythonEvent>(response);
  }

  runCommand(
    sandboxId: string,
    command: CommandRun["command"],
    { signal, ...options }: Omit<CommandRun, "command"> & CallOptions = {},
  ): Promise<CommandResult> {
    return this.#transport.call("runCommand", {
      params: { sandbox_id: sandboxId },
      body: { command, ...options },
      signal,
    });
  }

  /** Of a command in the background, from the given offsets on. */
  commandOutput(
    sandboxId: string,
    commandId: string,
    { signal, ...query }: { stdout_offset?: number; stderr_offset?: number } & CallOptions = {},
  ): Promise<CommandOutput> {
    const params = { sandbox_id: sandboxId, command_id: commandId };
    return this.#transport.call("getCommandOutput", { params, query, signal });
  }

  async killCommand(sandboxId: string, commandId: string, { signal }: CallOptions = {}): Promise<void> {
    const params = { sandbox_id: sandboxId, command_id: commandId };
    await this.#transport.call("killCommand", { params, signal });
  }

  files(sandboxId: string): Files {
    return createFiles(this.#transport, "Sandbox", sandboxId);
  }
}
