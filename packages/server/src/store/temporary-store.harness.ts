import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewEvent, Store } from "./contract.ts";
import { openStore } from "./open.ts";

/** Vitest's `onTestFinished`: the latest registered runs first. */
export type AtEnd = (cleanUp: () => Promise<void>) => void;

/** A data folder that goes when the test ends. */
export async function makeDataDir(atEnd: AtEnd): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-store-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  return dataDir;
}

export async function openTemporaryStore(
  atEnd: AtEnd,
  dataDir?: string,
  databaseOf?: (dataDir: string) => Promise<string | undefined>,
): Promise<Store> {
  const folder = dataDir ?? (await makeDataDir(atEnd));
  const databaseUrl = await databaseOf?.(folder);
  const store = await openStore({ dataDir: folder, databaseUrl });
  atEnd(() => store.close());
  return store;
}

export function token(text: string, runId?: string): NewEvent {
  return { event: { type: "token", text }, runId };
}

export function message(messageId: string, text = messageId): NewEvent {
  return { event: { type: "message", message_id: messageId, role: "user", text, mode: "queue" } };
}
