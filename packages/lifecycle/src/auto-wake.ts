import { Duplex } from "node:stream";
import type { Sandbox, SandboxHandle } from "@atoll/sandbox";
import { isSandboxDead } from "./suspend.ts";
import type { LiveSandbox, ThreadRegistry } from "./thread-sandbox.ts";

export interface AutoWakeOptions {
  readonly threads: ThreadRegistry;
  /** Wakes the thread with the options of its last wake. */
  wakeAgain(threadId: string): Promise<unknown>;
  markDead(live: LiveSandbox): void;
}

/** One call to a thread's sandbox, from begin to end. */
interface OngoingCall {
  readonly sandbox: Sandbox;
  /** `error`: what the call failed with. */
  end(error?: unknown): void;
}

interface CallKind {
  /** It may change files or variables. */
  readonly isChange: boolean;
  readonly isPython: boolean;
}

type Begin = (kind: CallKind) => Promise<OngoingCall>;
type Namespace = "python" | "commands" | "files" | "ports" | "env" | "processes";
type Call = (...args: unknown[]) => unknown;

/** Calls that change nothing. All others wait for a checkpoint in progress. */
const READING: Readonly<Record<Namespace, readonly string[]>> = {
  python: ["contexts", "interrupt", "table", "tableCsv", "variables"],
  commands: ["list", "get"],
  files: ["read", "readText", "readStream", "list", "stat", "exists", "watch", "glob", "grep"],
  ports: ["list", "connect", "url"],
  env: ["get", "list"],
  processes: ["list", "kill"],
};

/** Makes the sandboxes that callers get: each call wakes the thread first and keeps it awake until it has ended. */
export class AutoWake {
  readonly #options: AutoWakeOptions;

  constructor(options: AutoWakeOptions) {
    this.#options = options;
  }

  /** Works for as long as the thread exists. `info` is that of the thread's live sandbox, or of `lastHandle`. */
  createSandbox(threadId: string, lastHandle: SandboxHandle): Sandbox {
    const { threads } = this.#options;
    const begin: Begin = (kind) => this.#begin(threadId, kind);
    return {
      id: lastHandle.id,
      get info() {
        return (threads.live(threadId)?.handle ?? lastHandle).info;
      },
      python: guard("python", begin),
      commands: guard("commands", begin),
      files: guard("files", begin),
      ports: guard("ports", begin),
      env: guard("env", begin),
      processes: guard("processes", begin),
      metrics: (options) =>
        during(begin({ isChange: false, isPython: false }), ({ sandbox }) => sandbox.metrics(options)),
    };
  }

  async #begin(threadId: string, kind: CallKind): Promise<OngoingCall> {
    while (true) {
      const live = this.#options.threads.live(threadId);
      if (!live?.isReady) await this.#options.wakeAgain(threadId);
      else if (kind.isChange && live.checkpointing) await live.checkpointing;
      else return this.#beginNow(live, kind);
    }
  }

  #beginNow(live: LiveSandbox, { isChange, isPython }: CallKind): OngoingCall {
    const { threads, markDead } = this.#options;
    threads.beginCall(live);
    if (isChange) live.isChanged = true;
    if (isChange && isPython) live.hasRunPython = true;
    if (isChange && !isPython) live.hasNonPythonChanges = true;
    return {
      sandbox: live.handle,
      end: (error) => {
        threads.endCall(live);
        if (isSandboxDead(error)) markDead(live);
      },
    };
  }
}

function guard<Name extends Namespace>(name: Name, begin: Begin): Sandbox[Name] {
  return new Proxy({} as Sandbox[Name], {
    get(_, method) {
      if (typeof method !== "string" || method === "then") return undefined;
      const kind = { isChange: !READING[name].includes(method), isPython: name === "python" };
      const call = (ongoing: OngoingCall, args: unknown[]) =>
        (ongoing.sandbox[name] as unknown as Record<string, Call>)[method]?.(...args);
      if (method === "watch" || method === "readStream") {
        const items = (args: unknown[]) =>
          iterate(
            () => begin(kind),
            (ongoing) => call(ongoing, args),
          );
        return (...args: unknown[]) => (method === "watch" ? items(args) : ReadableStream.from(items(args)));
      }
      return (...args: unknown[]) => during(begin(kind), (ongoing) => call(ongoing, args));
    },
  });
}

async function during<Result>(
  begun: Promise<OngoingCall>,
  work: (ongoing: OngoingCall) => Result,
): Promise<Awaited<Result>> {
  const ongoing = await begun;
  try {
    const result = await work(ongoing);
    // A connection to a port is in use until it is closed.
    if (result instanceof Duplex) result.once("close", () => ongoing.end());
    else ongoing.end();
    return result;
  } catch (error) {
    ongoing.end(error);
    throw error;
  }
}

async function* iterate(
  begin: () => Promise<OngoingCall>,
  work: (ongoing: OngoingCall) => unknown,
): AsyncGenerator<unknown> {
  const ongoing = await begin();
  try {
    yield* work(ongoing) as AsyncIterable<unknown>;
  } finally {
    ongoing.end();
  }
}
