import { createHmac } from "node:crypto";
import { isEqual } from "../../http/security/authentication.ts";

/** What the server that a client asked says of the request that it passes on. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as they are on the wire. */
  readonly target: string;
  /** Id of the server that passes it on. */
  readonly from: string;
  /** The client carried the right token. */
  readonly isAuthenticated: boolean;
}

export const forwardedHeader = "x-atoll-forwarded";
/** On an answer: the request was not carried out, since this server does not have what it is for. */
export const notOwnerHeader = "x-atoll-not-owner";

const validMs = 60_000;

/** The value of the header that makes another server trust a request. */
export function signForwarded(request: ForwardedRequest, secret: Uint8Array, nowMs = Date.now()): string {
  const { from, isAuthenticated } = request;
  return [nowMs, from, isAuthenticated ? "yes" : "no", digest(request, nowMs, secret)].join(";");
}

/** Undefined when it was not made with the secret, for this request, a moment ago. */
export function verifyForwarded(
  given: string,
  { method, target }: Pick<ForwardedRequest, "method" | "target">,
  secret: Uint8Array,
  nowMs = Date.now(),
): ForwardedRequest | undefined {
  const [time = "", from = "", authenticated = "", signature = ""] = given.split(";");
  const request = { method, target, from, isAuthenticated: authenticated === "yes" };
  const isRecent = /^\d{1,15}$/.test(time) && Math.abs(nowMs - Number(time)) < validMs;
  return isRecent && isEqual(signature, digest(request, Number(time), secret)) ? request : undefined;
}

function digest(request: ForwardedRequest, timeMs: number, secret: Uint8Array): string {
  const { method, target, from, isAuthenticated } = request;
  return createHmac("sha256", secret)
    .update(JSON.stringify(["forwarded", method, target, timeMs, from, isAuthenticated]))
    .digest("base64url");
}
