import { createHmac, timingSafeEqual } from "node:crypto";
import { type JobKind, jobKinds } from "./contract.ts";

/** What of a job lies in Redis. */
export interface StoredJob {
  readonly sandboxId: string;
  readonly kind: JobKind;
  /** Made with the secret of the servers that share the jobs. */
  readonly proof?: string;
}

/**
 * Jobs end and remove sandboxes. With a secret only those count that a server wrote which has it: to write to Redis is
 * not enough.
 */
export class StoredJobs {
  readonly #secret: Uint8Array | undefined;

  constructor(secret: Uint8Array | undefined) {
    this.#secret = secret;
  }

  write({ sandboxId, kind }: Omit<StoredJob, "proof">): StoredJob {
    return { sandboxId, kind, ...(this.#secret ? { proof: prove(sandboxId, kind, this.#secret) } : {}) };
  }

  /** Undefined for what no server wrote. */
  read(data: unknown): Pick<StoredJob, "sandboxId" | "kind"> | undefined {
    if (typeof data !== "object" || data === null) return undefined;
    const { sandboxId, kind: named, proof } = data as Partial<Record<keyof StoredJob, unknown>>;
    const kind = jobKinds.find((each) => each === named);
    if (typeof sandboxId !== "string" || !/^[\w.-]{1,128}$/.test(sandboxId) || !kind) return undefined;
    if (this.#secret && !isSame(proof, prove(sandboxId, kind, this.#secret))) return undefined;
    return { sandboxId, kind };
  }
}

/** A time as ISO 8601, also of a number that is none. */
export function toIsoTime(timeMs: number): string {
  const isTime = Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15;
  return new Date(isTime ? timeMs : 0).toISOString();
}

function prove(sandboxId: string, kind: JobKind, secret: Uint8Array): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["job", sandboxId, kind]))
    .digest("base64url");
}

function isSame(given: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(typeof given === "string" ? given : ""), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
