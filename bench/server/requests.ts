import { Agent, request as send, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";

/** Connections are kept open, as any client of an API does. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

export interface RequestOptions {
  method?: string;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Node's own client: of all in reach it adds the least of its own to what is measured. */
export function open(url: string, { method = "GET", body, headers = {} }: RequestOptions = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = text === undefined ? headers : { "content-type": "application/json", ...headers };
  const outgoing = send(url, { method, agent, headers: all }, resolve).once("error", reject);
  outgoing.end(text);
  return promise;
}

export async function ask<Answer>(url: string, options?: RequestOptions): Promise<Answer> {
  const response = await open(url, options);
  const answer = (await json(response)) as Answer;
  if (response.statusCode !== undefined && response.statusCode >= 400) {
    throw new Error(`${options?.method ?? "GET"} ${url}: ${response.statusCode} ${JSON.stringify(answer)}`);
  }
  return answer;
}

/** The time from the request to the first bytes that match; the rest is read and thrown away. */
export async function timeToFirst(pattern: RegExp, url: string, options: RequestOptions): Promise<number> {
  const startedAt = performance.now();
  const response = await open(url, options);
  let [text, firstMs] = ["", Number.NaN];
  for await (const part of response.setEncoding("utf8") as AsyncIterable<string>) {
    if (!Number.isNaN(firstMs)) continue;
    text += part;
    if (pattern.test(text)) firstMs = performance.now() - startedAt;
  }
  if (Number.isNaN(firstMs)) throw new Error(`${url} never said ${pattern}: ${text.slice(0, 500)}`);
  return firstMs;
}

export function closeConnections(): void {
  agent.destroy();
}
