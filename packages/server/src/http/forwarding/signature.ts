import { createHash, createHmac, randomBytes } from "node:crypto";
import { isEqual } from "../../constant-time.ts";
import type { ServerRecord } from "../../cluster/contract.ts";
import { UsedNonces } from "./used-nonces.ts";

/** What a signature is good for. One for a preview opens no route of the API. */
export type Purpose = "request" | "resumption" | "preview" | "upgrade";

/** A request as both servers see it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, as they are on the wire. */
  readonly target: string;
  readonly host: string;
}

/** What the server that a client asked says of the request that it passes on. */
export interface Forwarded {
  readonly purpose: Purpose;
  /** Id of the server that passes it on. */
  readonly from: string;
  /** The client carried the right token, or the right pass of a preview. */
  readonly isAuthenticated: boolean;
  /** Whose rate limit it counts for. */
  readonly client: string;
  readonly body: BodyProof;
}

/** `stream`: its content is not known when its head is sent. It has a connection of its own, on which nothing follows. */
export type BodyProof = "none" | "stream" | `sha256-${string}`;

export interface Signed {
  readonly headers: readonly [name: string, value: string];
  /** Whether this answer is from the server that the request was signed for. */
  isAnswered(proof: string | string[] | undefined): boolean;
}

export interface Verified extends Forwarded {
  /** For `answerHeader`: proves to the other server who answers. */
  readonly answerProof: string;
}

export const forwardedHeader = "x-atoll-forwarded";
/** On an answer between servers. */
export const answerHeader = "x-atoll-answer";
/** On an answer: the request was not carried out, since this server does not have what it is for. */
export const notOwnerHeader = "x-atoll-not-owner";

/** How far the clocks of two servers may differ. */
const validMs = 60_000;

export function proveBody(content: Uint8Array | undefined): BodyProof {
  return content ? `sha256-${createHash("sha256").update(content).digest("base64url")}` : "none";
}

/** Signs requests for other servers, and checks theirs: each signature is good for one request, one receiver, once. */
export class Signatures {
  readonly #secret: Uint8Array;
  readonly #self: () => Pick<ServerRecord, "id">;
  readonly #nonces = new UsedNonces({ validMs });

  constructor(options: { secret: Uint8Array; self: () => Pick<ServerRecord, "id"> }) {
    this.#secret = options.secret;
    this.#self = options.self;
  }

  sign(
    request: SeenRequest & Omit<Forwarded, "from">,
    to: Pick<ServerRecord, "id">,
    nowMs = Date.now(),
  ): Signed {
    const nonce = randomBytes(12).toString("base64url");
    const { purpose, isAuthenticated, client, body } = request;
    const from = this.#self().id;
    const stamp = { to: to.id, timeMs: nowMs, nonce };
    const signature = this.#digest(["forwarded", ...listParts(request, { ...request, from }, stamp)]);
    const value = [purpose, nowMs, nonce, from, isAuthenticated ? "yes" : "no", client, body, signature];
    const expected = this.#proveAnswer(nonce, to.id);
    return {
      headers: [forwardedHeader, value.join(";")],
      isAnswered: (proof) => typeof proof === "string" && isEqual(proof, expected),
    };
  }

  /** Undefined when no server of this installation made it for this request and this server a moment ago, or when it was used. */
  verify(
    given: string,
    request: SeenRequest,
    purposes: readonly Purpose[],
    nowMs = Date.now(),
  ): Verified | undefined {
    const fields = given.split(";", 9);
    const [named, time = "", nonce = "", from = "", authenticated, client = "", body, signature = ""] =
      fields;
    const purpose = purposes.find((each) => each === named);
    if (!purpose || fields.length !== 8) return undefined;
    const isAuthenticated = authenticated === "yes";
    const statement = { purpose, from, isAuthenticated, client, body: body as BodyProof };
    const stamp = { to: this.#self().id, timeMs: Number(time), nonce };
    if (!/^\d{1,15}$/.test(time) || Math.abs(nowMs - stamp.timeMs) >= validMs) return undefined;
    const expected = this.#digest(["forwarded", ...listParts(request, statement, stamp)]);
    if (!isEqual(signature, expected) || !this.#nonces.use(nonce, stamp.timeMs, nowMs)) return undefined;
    return { ...statement, answerProof: this.#proveAnswer(nonce, stamp.to) };
  }

  #proveAnswer(nonce: string, by: string): string {
    return this.#digest(["answer", nonce, by]);
  }

  #digest(parts: readonly unknown[]): string {
    return createHmac("sha256", this.#secret).update(JSON.stringify(parts)).digest("base64url");
  }
}

function listParts(
  { method, target, host }: SeenRequest,
  { purpose, from, isAuthenticated, client, body }: Forwarded,
  { to, timeMs, nonce }: { to: string; timeMs: number; nonce: string },
): unknown[] {
  return [purpose, method, target, host, from, to, isAuthenticated, client, body, timeMs, nonce];
}
