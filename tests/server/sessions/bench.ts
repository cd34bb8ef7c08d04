import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AtollApiError } from "@atoll/client";
import type { ServerProcess } from "../../support/server-process.ts";
import type { ThreadUser } from "../../support/thread-user.ts";

/** Long enough for a busy machine to do something in between, short enough to be waited for. */
export const ttlS = 12;
/** On a loaded machine a second may take several. */
export const patience = { timeout: 120_000, interval: 200 };

/** `there`, or the code with which the server says that it is not. */
export async function lookAt({ client, threadId }: ThreadUser): Promise<string> {
  try {
    await client.threads.get(threadId);
    return "there";
  } catch (error) {
    if (error instanceof AtollApiError) return `${error.status} ${error.code}`;
    throw error;
  }
}

export async function endOf({ client, threadId }: ThreadUser): Promise<number> {
  return Date.parse((await client.threads.get(threadId)).temporary?.expires_at ?? "");
}

/** Everything below a folder whose name has the text in it. */
export function findNames(folder: string, text: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.split("/").at(-1)?.includes(text))
    .map((name) => join(folder, name));
}

export function beacon(server: ServerProcess, threadId: string, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/thread/${threadId}/leave`, {
    method: "POST",
    headers: { "content-type": "text/plain;charset=UTF-8", origin: server.url, ...headers },
    body: "bye",
  });
}
