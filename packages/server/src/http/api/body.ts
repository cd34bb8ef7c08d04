import { createHash } from "node:crypto";
import type { HttpContext } from "../environment.ts";
import { nodeObjects } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** A client that sends nothing for this long is given up. There is no limit for the whole: uploads may be long. */
  readonly idleMs: number;
}

/** The bytes of a request as they come in. Leaving early leaves the connection able to carry the answer. */
export async function* readChunks(c: HttpContext, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const declared = Number(c.req.header("content-length") ?? 0);
  if (declared > limits.maxBytes) throw tooLarge(limits.maxBytes);
  const source = openBody(c);
  if (!source) return;
  // Not a race with one long promise: that would hold on to every chunk until the end.
  let giveUp: (reason: ApiError) => void = () => {};
  const timer = setTimeout(() => {
    const message = `no data came for ${limits.idleMs} ms`;
    giveUp(new ApiError("request_timeout", message, { headers: { connection: "close" } }));
  }, limits.idleMs);
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      giveUp = reject;
      source.next().then(resolve, reject);
    });
  let received = 0;
  const proof = c.get("forwarded")?.body;
  const hash = proof?.startsWith("sha256-") ? createHash("sha256") : undefined;
  try {
    for (;;) {
      const { done, value } = await next();
      if (done && hash && `sha256-${hash.digest("base64url")}` !== proof) throw changedOnTheWay();
      if (done) return;
      received += value.length;
      if (received > limits.maxBytes) throw tooLarge(limits.maxBytes);
      hash?.update(value);
      yield value;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
    // Lets go of the request: its rest can be read and dropped, and its connection be used again.
    void source.return?.().catch(() => {});
  }
}

export async function readJson(c: HttpContext, limits: BodyLimits): Promise<unknown> {
  if (hasBody(c) && !isJson(c)) throw notJson();
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(c, limits)) chunks.push(chunk);
  const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  if (!bytes || bytes.length === 0) return undefined;
  if (!isJson(c)) throw notJson();
  return parse(bytes);
}

/** A route that takes no body answers a client that sends none, whatever type it names: `curl -X POST` and `-d ''`. */
export function refuseForms(c: HttpContext): void {
  if (hasBody(c) && !isJson(c)) throw notJson();
}

function openBody(c: HttpContext): AsyncIterator<Uint8Array> | undefined {
  const { incoming } = nodeObjects(c);
  if (incoming) return incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  return c.req.raw.body?.values({ preventCancel: true }) as AsyncIterator<Uint8Array> | undefined;
}

function parse(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError("bad_request", "the body is not valid UTF-8", {
      hint: "Send the JSON encoded as UTF-8.",
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new ApiError("bad_request", `the body is not valid JSON: ${reason}`, {
      hint: "Check quotes, commas and brackets.",
    });
  }
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw new ApiError("bad_request", "a text in the body holds half of a surrogate pair", {
      hint: "Send whole characters: \\ud83d needs its second half.",
    });
  }
  return value;
}

function isWellFormed(root: unknown): boolean {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string" && !value.isWellFormed()) return false;
    if (typeof value === "object" && value !== null)
      open.push(...Object.keys(value), ...Object.values(value));
  }
  return true;
}

function hasBody(c: HttpContext): boolean {
  const length = c.req.header("content-length");
  return length === undefined ? c.req.header("transfer-encoding") !== undefined : Number(length) > 0;
}

function isJson(c: HttpContext): boolean {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || /^application\/[\w.-]+\+json$/.test(type);
}

function notJson(): ApiError {
  return new ApiError("unsupported_media_type", "the body must be JSON");
}

function changedOnTheWay(): ApiError {
  return new ApiError("forbidden", "the body is not the one that the other server signed");
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("too_large", `the body is larger than ${maxBytes} bytes`, {
    headers: { connection: "close" },
  });
}
