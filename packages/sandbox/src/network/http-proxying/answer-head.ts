import {
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";
import { type Header, listEndToEnd } from "./hop-by-hop.ts";
import { ProxyingError } from "./proxying-error.ts";

export interface AnswerHeadOptions {
  /** Which headers go on, by their name in lower case. Default: all that are end to end. The framing always does. */
  readonly isKept?: (name: string) => boolean;
  /** Written in place of the answer's own of the same names, which are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Answer = Pick<IncomingMessage, "statusCode" | "statusMessage" | "rawHeaders" | "headers">;

/**
 * Writes the head of an answer that the other side gave. Node reads more than it writes, so all of it is checked first:
 * throws a `ProxyingError`, with nothing written, for an answer that cannot go on.
 */
export function writeAnswerHead(
  response: ServerResponse,
  answer: Answer,
  options: AnswerHeadOptions = {},
): void {
  const { status, text, headers } = checkHead(answer, options);
  response.writeHead(status, text, headers.flat());
}

/** The same as bytes, for a connection that is no longer Node's: it switches protocols, or ends with this answer. */
export function formatAnswerHead(answer: Answer, options: AnswerHeadOptions = {}): string {
  const isSwitch = answer.statusCode === 101;
  const { status, text, headers } = checkHead(answer, options, { isSwitch });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const ending = isSwitch
    ? `connection: Upgrade\r\nupgrade: ${answer.headers.upgrade ?? ""}\r\n`
    : "connection: close\r\n";
  return `HTTP/1.1 ${status} ${text}\r\n${lines.join("")}${ending}\r\n`;
}

function checkHead(
  answer: Answer,
  { isKept = () => true, headers: own = {} }: AnswerHeadOptions,
  { isSwitch = false } = {},
) {
  const status = answer.statusCode ?? 0;
  if (!isSwitch && !(status >= 200 && status <= 599)) throw unwritable(`its status is ${status}`);
  const kept = listEndToEnd(answer.rawHeaders, ["content-length", ...Object.keys(own)]).filter(([name]) =>
    isKept(name.toLowerCase()),
  );
  const framing = isSwitch || status === 204 ? [] : lengthOf(answer);
  const headers = [...kept, ...framing, ...Object.entries(own)];
  if (isSwitch) checkHeader("upgrade", answer.headers.upgrade ?? "");
  for (const [name, value] of headers) checkHeader(name, value);
  return { status, text: textOf(answer, status), headers };
}

/** A chunked body is framed again by Node; two lengths are one length too many. */
function lengthOf({ rawHeaders, headers }: Answer): Header[] {
  const given = listEndToEnd(rawHeaders).filter(([name]) => name.toLowerCase() === "content-length");
  const lengths = new Set(given.map(([, value]) => value));
  if (headers["transfer-encoding"] !== undefined || lengths.size === 0) return [];
  const [length = ""] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) throw unwritable("the length of its body is unclear");
  return [["content-length", length]];
}

/** It carries no meaning: one that cannot be written is replaced. */
function textOf({ statusMessage = "" }: Answer, status: number): string {
  const isWritable = /^[\t\x20-\x7e]{1,200}$/.test(statusMessage);
  return isWritable ? statusMessage : (STATUS_CODES[status] ?? "Unknown");
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw unwritable("one of its headers is malformed");
  }
}

function unwritable(reason: string): ProxyingError {
  return new ProxyingError(502, `the answer cannot be passed on: ${reason}`);
}
