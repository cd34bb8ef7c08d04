import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ProxyingError } from "@atoll/sandbox/http-proxying";

/** What a browser is told instead of the page. */
export class PreviewFailure extends Error {
  readonly status: number;
  readonly hint: string;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, hint: string, options: PreviewFailureOptions = {}) {
    super(message);
    this.status = status;
    this.hint = hint;
    this.code = options.code ?? codes[status] ?? "unavailable";
    this.headers = options.headers ?? {};
  }
}

interface PreviewFailureOptions {
  /** Default: the usual one of the status. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, code, message, hint, headers } = toFailure(error);
  const isPage = (request.headers.accept ?? "").includes("text/html");
  const body = isPage
    ? `<!doctype html><meta charset="utf-8"><title>Preview</title><body style="font:16px/1.5 system-ui;margin:4rem auto;max-width:34rem"><h1 style="font-size:1.2rem">${escapeHtml(message)}</h1><p>${escapeHtml(hint)}</p></body>`
    : JSON.stringify({ code, message, hint });
  response
    .writeHead(status, {
      ...headers,
      "content-type": isPage ? "text/html; charset=utf-8" : "application/json",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    })
    .end(body);
}

export function answerFailureRaw(stream: Duplex, error: unknown): void {
  const { status, message, headers } = toFailure(error);
  stream.on("error", () => {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.write(
    `HTTP/1.1 ${status} Refused\r\n${lines.join("")}connection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
  endSoon(stream);
}

/** As Node ends its own connections: also if the client keeps its side open. */
export function endSoon(stream: Duplex | Socket): void {
  if ("destroySoon" in stream) stream.destroySoon();
  else stream.end();
}

const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  429: "rate_limited",
  502: "protocol_error",
};

function toFailure(error: unknown): PreviewFailure {
  if (error instanceof PreviewFailure) return error;
  if (error instanceof ProxyingError)
    return new PreviewFailure(
      error.status,
      `A preview cannot be shown: ${error.message}.`,
      error.status < 500 ? "Change the request." : "Change what the program in the sandbox answers.",
    );
  return new PreviewFailure(
    502,
    "The program in the sandbox has broken the connection off.",
    "Reload the page.",
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
