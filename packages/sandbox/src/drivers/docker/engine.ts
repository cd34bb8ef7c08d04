import { Agent, request } from "node:http";
import { json } from "node:stream/consumers";
import { AtollError } from "../../errors.ts";

/** The engine refused, or did not answer. What it said itself may name places of the host, so it is only the cause. */
export class EngineError extends AtollError {
  /** 0 when there was no answer. */
  readonly status: number;

  constructor(call: string, status: number, cause: unknown) {
    const what = status === 0 ? "does not answer" : `refused with status ${status}`;
    super("runtime_unavailable", `the container engine ${what}: ${call}`, { cause });
    this.status = status;
  }
}

export interface ContainerLimits {
  readonly Memory: number;
  readonly MemorySwap: number;
  readonly NanoCpus: number;
  readonly PidsLimit: number;
}

interface EngineInfo {
  readonly OSType: string;
  readonly SecurityOptions?: readonly string[];
  readonly Runtimes?: Readonly<Record<string, unknown>>;
}

/**
 * The few calls of a container engine that the driver makes, over its Unix socket. Without a version in the path every
 * engine answers in its own.
 */
export class Engine {
  readonly #socketPath: string;
  // Connections that are kept do not keep this process alive.
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  info(): Promise<EngineInfo> {
    return this.#call("GET", "/info");
  }

  async hasImage(image: string): Promise<boolean> {
    return (await this.#unlessGone(this.#call("GET", `/images/${image}/json`))) !== undefined;
  }

  async create(name: string, spec: object): Promise<void> {
    await this.#call("POST", `/containers/create?name=${name}`, spec);
  }

  async start(name: string): Promise<void> {
    await this.#call("POST", `/containers/${name}/start`);
  }

  async update(name: string, limits: ContainerLimits): Promise<void> {
    await this.#call("POST", `/containers/${name}/update`, limits);
  }

  async isRunning(name: string): Promise<boolean> {
    const found = await this.#unlessGone(
      this.#call<{ State: { Running: boolean } }>("GET", `/containers/${name}/json`),
    );
    return found?.State.Running ?? false;
  }

  /** Ends it at once, whatever it does. One that is gone, or about to go, is not an error. */
  async remove(name: string): Promise<void> {
    await this.#unlessGone(this.#call("DELETE", `/containers/${name}?force=1&v=1`));
  }

  async list(
    label: string,
    status: string,
  ): Promise<readonly { Id: string; Labels: Record<string, string> }[]> {
    const filters = encodeURIComponent(JSON.stringify({ label: [label], status: [status] }));
    return this.#call("GET", `/containers/json?all=1&filters=${filters}`);
  }

  async #unlessGone<Result>(call: Promise<Result>): Promise<Result | undefined> {
    try {
      return await call;
    } catch (error) {
      // 409: its removal is under way.
      if (error instanceof EngineError && (error.status === 404 || error.status === 409)) return undefined;
      throw error;
    }
  }

  async #call<Result>(method: string, path: string, body?: object): Promise<Result> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const call = `${method} ${path.replace(/\?.*/, "")}`;
    const refuse = (cause: unknown) => reject(new EngineError(call, 0, cause));
    const headers =
      text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const options = { socketPath: this.#socketPath, agent: this.#agent, method, path, headers };
    const asked = request(options, (response) => {
      const status = response.statusCode ?? 0;
      const answer = status === 204 || status === 304 ? Promise.resolve(response.resume()) : json(response);
      answer.then(
        (value) =>
          status < 400
            ? resolve(value as Result)
            : reject(
                new EngineError(
                  call,
                  status,
                  new Error(String((value as { message?: string } | null)?.message)),
                ),
              ),
        refuse,
      );
    });
    asked.on("error", refuse).end(text);
    return promise;
  }
}

/** `DOCKER_HOST`, as long as it names a socket of this machine, else the usual socket. */
export function findEngineSocket(host = process.env["DOCKER_HOST"]): string {
  if (host === undefined || host === "") return "/var/run/docker.sock";
  if (host.startsWith("unix://")) return host.slice("unix://".length);
  throw new AtollError(
    "runtime_unavailable",
    "DOCKER_HOST names an engine on another machine, which cannot show its containers this machine's folders: use a unix:// address",
  );
}
