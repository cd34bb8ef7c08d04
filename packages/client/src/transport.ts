import { readError } from "./errors.ts";
import { type Operations, routes } from "./generated.ts";

export interface ClientOptions {
  /** Where the server is, e.g. `http://localhost:8000`. In a browser default: where the page is from. */
  baseUrl?: string;
  /** Only where the server demands one; a browser that logged in has a cookie instead. */
  token?: string;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** The request outlives the page that makes it. */
  keepalive?: boolean;
}

type Id = keyof Operations;

/** What an operation needs, as far as it needs anything. */
export interface Request<Name extends Id> extends CallOptions {
  params?: Operations[Name]["params"];
  query?: Operations[Name]["query"];
  body?: Operations[Name]["body"];
  /** Instead of a JSON body. */
  rawBody?: RequestInit["body"] | undefined;
  headers?: Readonly<Record<string, string>>;
}

/** Turns operations into requests. */
export class Transport {
  readonly #baseUrl: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl = "", token, fetch: given }: ClientOptions) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, "");
    this.#token = token;
    this.#fetch = given ?? ((...args) => globalThis.fetch(...args));
  }

  async call<Name extends Id>(name: Name, request: Request<Name> = {}): Promise<Operations[Name]["result"]> {
    const response = await this.send(name, request);
    return (await response.json()) as Operations[Name]["result"];
  }

  /** Rejects with an `AtollApiError` unless the server agreed. */
  async send<Name extends Id>(name: Name, request: Request<Name> = {}): Promise<Response> {
    const { body, rawBody, signal, keepalive } = request;
    const response = await this.#fetch(this.url(name, request), {
      method: routes[name].method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(rawBody === undefined ? {} : { body: rawBody, duplex: "half" }),
      signal,
      ...(keepalive ? { keepalive } : {}),
    } as RequestInit);
    if (response.ok) return response;
    throw await readError(response);
  }

  url<Name extends Id>(name: Name, { params, query }: Request<Name>): string {
    const values = (params ?? {}) as Record<string, string>;
    const path = routes[name].path.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(values[key] ?? ""),
    );
    const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]));
    return `${this.#baseUrl}${path}${given.length > 0 ? `?${search}` : ""}`;
  }
}
