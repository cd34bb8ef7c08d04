import { Duplex } from "node:stream";
import type { Sandbox, SandboxInfo } from "@atoll/sandbox";

/** One use of a thread's sandbox, from the first moment to the last. */
export interface Use {
  readonly sandbox: Sandbox;
  /** `error`: how the use ended, if it failed. */
  end(error?: unknown): void;
}

export interface UseKind {
  /** It may change files or variables. */
  readonly isChange: boolean;
  readonly isPython: boolean;
}

type Begin = (kind: UseKind) => Promise<Use>;
type Namespace = "python" | "commands" | "files" | "ports" | "env" | "processes";
type Call = (...args: unknown[]) => unknown;

/** Calls that leave everything as it is. All others wait for a checkpoint that is being taken. */
const reading: Readonly<Record<Namespace, readonly string[]>> = {
  python: ["contexts", "interrupt", "table", "tableCsv", "variables"],
  commands: ["list", "get"],
  files: ["read", "readText", "readStream", "list", "stat", "exists", "watch", "glob", "grep"],
  ports: ["list", "connect", "url"],
  env: ["get", "list"],
  processes: ["list", "kill"],
};

/** The thread's sandbox for as long as there is one, described as it was seen last: every call wakes it, and it does not rest under a call. */
export function guardSandbox(describe: () => SandboxInfo, begin: Begin): Sandbox {
  const guard = <Name extends Namespace>(name: Name): Sandbox[Name] =>
    new Proxy({} as Sandbox[Name], {
      get(_, method) {
        if (typeof method !== "string" || method === "then") return undefined;
        const kind = { isChange: !reading[name].includes(method), isPython: name === "python" };
        const call = (use: Use, args: unknown[]) =>
          (use.sandbox[name] as unknown as Record<string, Call>)[method]?.(...args);
        if (method === "watch" || method === "readStream") {
          const items = (args: unknown[]) =>
            iterate(
              () => begin(kind),
              (use) => call(use, args),
            );
          return (...args: unknown[]) =>
            method === "watch" ? items(args) : ReadableStream.from(items(args));
        }
        return (...args: unknown[]) => during(begin(kind), (use) => call(use, args));
      },
    });
  return {
    id: describe().id,
    get info() {
      return describe();
    },
    python: guard("python"),
    commands: guard("commands"),
    files: guard("files"),
    ports: guard("ports"),
    env: guard("env"),
    processes: guard("processes"),
    metrics: (options) =>
      during(begin({ isChange: false, isPython: false }), ({ sandbox }) => sandbox.metrics(options)),
  };
}

async function during<Result>(begun: Promise<Use>, work: (use: Use) => Result): Promise<Awaited<Result>> {
  const use = await begun;
  try {
    const result = await work(use);
    // A connection to a port is in use until it is closed.
    if (result instanceof Duplex) result.once("close", () => use.end());
    else use.end();
    return result;
  } catch (error) {
    use.end(error);
    throw error;
  }
}

async function* iterate(begin: () => Promise<Use>, work: (use: Use) => unknown): AsyncGenerator<unknown> {
  const use = await begin();
  try {
    yield* work(use) as AsyncIterable<unknown>;
  } finally {
    use.end();
  }
}
