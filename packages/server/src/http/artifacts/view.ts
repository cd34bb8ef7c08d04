import { posix } from "node:path";
import type { z } from "zod";
import type { artifactsSchema, StoredEvent } from "@atoll/protocol";
import { signBlobUrl } from "../security/signed-urls.ts";

type Artifact = z.infer<typeof artifactsSchema>["artifacts"][number];
type Version = Artifact["versions"][number];

/** The files that runs made: each path once, in its latest version, with those before it. */
export function readArtifacts(
  threadId: string,
  events: readonly StoredEvent[],
  signing: { key: Uint8Array; ttlS: number },
): Artifact[] {
  const byPath = new Map<string, Version[]>();
  const expires = Math.floor(Date.now() / 1000) + signing.ttlS;
  for (const event of events) {
    if (event.type !== "artifact") continue;
    const { path, hash, size_bytes, mime, at, run_id, url } = event;
    const name = posix.basename(path).toWellFormed();
    const links = url && {
      url,
      signed_url: signBlobUrl({ threadId, hash, name, expires }, signing.key),
      expires_at: new Date(expires * 1000).toISOString(),
    };
    const version = { hash, size_bytes, mime, at, run_id, ...links };
    byPath.set(path, [...(byPath.get(path) ?? []), version]);
  }
  return [...byPath].flatMap(([path, versions]) => {
    const latest = versions.at(-1);
    return latest ? [{ path, name: posix.basename(path), ...latest, versions }] : [];
  });
}
