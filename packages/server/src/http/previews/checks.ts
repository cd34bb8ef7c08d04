import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import { addressBucket, findAddressOf } from "../security/client-address.ts";
import type { Guesses } from "../security/guesses.ts";
import { isLoopbackHost, isSameOrigin } from "../security/origin.ts";
import { RateLimit } from "../security/rate-limit.ts";
import { type PreviewAddress, readPreviewAddress } from "./address.ts";
import { PreviewFailure } from "./failure.ts";

export interface PreviewChecksOptions {
  /** The server listens on loopback and demands no token: see `checkOrigin`. */
  readonly isHostChecked: boolean;
  readonly rateLimit: { readonly windowMs: number; readonly max: number };
  readonly trustedProxies: BlockList;
  /** Shared with the API. */
  readonly guesses: Guesses;
}

/** A page has many parts: its preview may be asked this many times as often as the API. */
const partsOfPage = 10;

/** What a request for a preview must pass before anything is done for it: the checks of the API. */
export class PreviewChecks {
  readonly #options: PreviewChecksOptions;
  readonly #limit: RateLimit;

  constructor(options: PreviewChecksOptions) {
    this.#options = options;
    const { windowMs, max } = options.rateLimit;
    this.#limit = new RateLimit({ windowMs, max: max * partsOfPage });
  }

  /** Whether host, origin and rate are right. */
  check(address: PreviewAddress, request: IncomingMessage): void {
    this.#checkHost(address, request);
    checkOrigin(address, request);
    if (this.#options.rateLimit.max === 0) return;
    const waitMs = this.#limit.take(this.clientOf(request));
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000));
  }

  /** A pass or a token was wrong. */
  countGuess(request: IncomingMessage): void {
    const waitSeconds = this.#options.guesses.count(this.clientOf(request));
    if (waitSeconds > 0) throw tooMany(waitSeconds);
  }

  clientOf(request: IncomingMessage): string {
    return addressBucket(findAddressOf(request, this.#options.trustedProxies));
  }

  /** The host form is a name of loopback by itself. */
  #checkHost({ form }: PreviewAddress, { headers }: IncomingMessage): void {
    if (form === "path" && this.#options.isHostChecked && !isLoopbackHost(headers.host ?? ""))
      throw new PreviewFailure(
        403,
        "The Host header names another machine.",
        "Open the preview as localhost or 127.0.0.1.",
      );
  }
}

/** In path form a page has no origin, and is to itself another site; its address holds the sandbox's secret id. */
function checkOrigin({ form, sandboxId }: PreviewAddress, { method, headers }: IncomingMessage): void {
  const { origin, host = "", "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
  if (form === "path" && (origin === undefined || origin === "null")) return;
  // Only a browser can say so, and a page that sends no referrer has `null` for its origin.
  if (site === "same-origin") return;
  if (origin !== undefined && !isSameOrigin(origin, host) && !isOfSandbox(origin, host, sandboxId))
    throw foreign();
  const isNavigation = ["GET", "HEAD"].includes(method ?? "") && mode === "navigate";
  if (form === "host" && origin === undefined && site === "cross-site" && !isNavigation) throw foreign();
}

/** A page of one port asks the server on another port of the same sandbox. */
function isOfSandbox(origin: string, host: string, sandboxId: string): boolean {
  const from = URL.parse(origin);
  const isSameServer = from?.port === URL.parse(`http://${host}`)?.port;
  return isSameServer && readPreviewAddress(from?.host, "/")?.sandboxId === sandboxId;
}

function foreign(): PreviewFailure {
  return new PreviewFailure(403, "A page of another origin asks.", "Open the preview from its thread.");
}

function tooMany(waitSeconds: number): PreviewFailure {
  return new PreviewFailure(429, "There were too many requests.", "Try again in a moment.", {
    headers: { "retry-after": String(waitSeconds) },
  });
}
