import type { Traffic } from "@atoll/sandbox";

const MAX_KEPT = 200;

/** Requests of pages that the network policy, or the network, did not let through. */
export class Refusals {
  #kept: Traffic[] = [];
  /** Places that pages asked for; the browser asks for some by itself. */
  readonly #asked = new Set<string>();

  /** A page wants to load this. */
  noteRequest(text: string): void {
    const url = URL.parse(text);
    if (url && this.#asked.size < MAX_KEPT) this.#asked.add(`${hostOf(url)}:${portOf(url)}`);
  }

  note(traffic: Traffic): void {
    if (traffic.outcome === "allowed") return;
    this.#kept = [...this.#kept.slice(-(MAX_KEPT - 1)), traffic];
  }

  /** Why a request for this address failed, if it was at or after this time. */
  reasonFor(url: URL, sinceMs: number): string | undefined {
    const [host, port] = [hostOf(url), portOf(url)];
    return this.#kept.findLast(
      (one) => one.host === host && one.port === port && Date.parse(one.at) >= sinceMs,
    )?.reason;
  }

  /** Places that a page asked for and the policy refused, since the last call. */
  take(): string[] {
    const refused = this.#kept.filter(({ outcome }) => outcome === "refused");
    const places = new Set(refused.map(({ host, port }) => `${host}:${port}`));
    const asked = [...this.#asked].filter((place) => places.has(place));
    this.#asked.clear();
    this.#kept = [];
    return asked;
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" || protocol === "wss:" ? 443 : 80));
}
