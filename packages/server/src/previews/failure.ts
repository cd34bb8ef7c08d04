import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** What a browser is told instead of the page. */
export class PreviewFailure extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export function answerFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, message, hint } = toFailure(error);
  const isPage = (request.headers.accept ?? "").includes("text/html");
  const body = isPage
    ? `<!doctype html><meta charset="utf-8"><title>Preview</title><body style="font:16px/1.5 system-ui;margin:4rem auto;max-width:34rem"><h1 style="font-size:1.2rem">${message}</h1><p>${hint}</p></body>`
    : JSON.stringify({ code: codes[status] ?? "unavailable", message, hint });
  response
    .writeHead(status, {
      "content-type": isPage ? "text/html; charset=utf-8" : "application/json",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    })
    .end(body);
}

export function answerFailureRaw(stream: Duplex, error: unknown): void {
  const { status, message } = toFailure(error);
  stream.on("error", () => {});
  stream.end(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
}

const codes: Readonly<Record<number, string>> = {
  401: "unauthorized",
  404: "not_found",
  502: "nothing_listens",
};

function toFailure(error: unknown): PreviewFailure {
  if (error instanceof PreviewFailure) return error;
  return new PreviewFailure(
    502,
    "The program in the sandbox has broken the connection off.",
    "Reload the page.",
  );
}
