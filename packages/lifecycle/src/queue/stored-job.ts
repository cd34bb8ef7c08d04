import { createHmac, timingSafeEqual } from "node:crypto";
import { type JobKind, JOB_KINDS } from "./contract.ts";

/** A job as it is stored in Redis. */
export interface StoredJob {
  readonly sandboxId: string;
  readonly kind: JobKind;
  /** Signed with the secret of the servers that share the jobs. */
  readonly proof?: string;
}

/**
 * Jobs end and remove sandboxes. With a secret, only jobs of a server that knows it are accepted: write access to Redis
 * is not enough.
 */
export class StoredJobs {
  readonly #secret: Uint8Array | undefined;

  constructor(secret: Uint8Array | undefined) {
    this.#secret = secret;
  }

  write({ sandboxId, kind }: Omit<StoredJob, "proof">): StoredJob {
    return { sandboxId, kind, ...(this.#secret ? { proof: sign(sandboxId, kind, this.#secret) } : {}) };
  }

  /** Undefined for data that no server signed. */
  read(data: unknown): Pick<StoredJob, "sandboxId" | "kind"> | undefined {
    if (typeof data !== "object" || data === null) return undefined;
    const { sandboxId, kind: named, proof } = data as Partial<Record<keyof StoredJob, unknown>>;
    const kind = JOB_KINDS.find((each) => each === named);
    if (typeof sandboxId !== "string" || !/^[\w.-]{1,128}$/.test(sandboxId) || !kind) return undefined;
    if (this.#secret && !isSame(proof, sign(sandboxId, kind, this.#secret))) return undefined;
    return { sandboxId, kind };
  }
}

/** A time in ISO 8601. A number that is not a time gives 1970. */
export function toIsoTime(timeMs: number): string {
  const isTime = Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15;
  return new Date(isTime ? timeMs : 0).toISOString();
}

function sign(sandboxId: string, kind: JobKind, secret: Uint8Array): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["job", sandboxId, kind]))
    .digest("base64url");
}

function isSame(proof: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(typeof proof === "string" ? proof : ""), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
