import { createHmac } from "node:crypto";
import { z } from "zod";
import { isEqual } from "../constant-time.ts";
import type { ServerRecord } from "./contract.ts";

/** Clocks differ, and a beat comes late. */
const slackMs = 60_000;

const sealedSchema = z.object({
  id: z.string().min(1).max(100),
  url: z.url({ protocol: /^https?$/ }).max(500),
  machine: z.string().max(500),
  startedAt: z.string().max(100),
  goodUntilMs: z.number(),
  signature: z.string(),
});

/**
 * A server's record as it lies in Redis. Requests of users go to the address in it, so it is signed with the
 * installation's secret: to write to Redis is not enough to be one of its servers.
 */
export function sealRecord(record: ServerRecord, secret: Uint8Array, ttlMs: number): string {
  const goodUntilMs = Date.now() + ttlMs + slackMs;
  return JSON.stringify({ ...record, goodUntilMs, signature: sign(record, goodUntilMs, secret) });
}

/** Undefined when no server of this installation wrote it, or when it is an old one. */
export function openRecord(sealed: unknown, secret: Uint8Array): ServerRecord | undefined {
  const { data } = sealedSchema.safeParse(parse(sealed));
  if (!data) return undefined;
  const { goodUntilMs, signature, ...record } = data;
  const isGood = isEqual(signature, sign(record, goodUntilMs, secret)) && Date.now() < goodUntilMs;
  return isGood ? record : undefined;
}

function sign(
  { id, url, machine, startedAt }: ServerRecord,
  goodUntilMs: number,
  secret: Uint8Array,
): string {
  const parts = ["server", id, url, machine, startedAt, goodUntilMs];
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
