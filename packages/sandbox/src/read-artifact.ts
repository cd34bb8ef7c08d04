import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { CallOptions } from "./contract/call.ts";
import type { Artifact } from "./contract/python.ts";
import type { Sandbox } from "./contract/sandbox.ts";
import { AtollError } from "./errors.ts";

/** What a run made, as it was then: from the copy on the host, or else through the guest. */
export async function readArtifact(
  sandbox: Pick<Sandbox, "files">,
  { path, hash, hostPath, sizeBytes: maxBytes }: Artifact,
  options: CallOptions = {},
): Promise<Uint8Array> {
  const copy = hostPath === undefined ? undefined : await readFile(hostPath).catch(() => undefined);
  const content = copy ?? (await sandbox.files.read(path, { ...options, maxBytes }));
  if (createHash("sha256").update(content).digest("hex") === hash) return content;
  throw new AtollError("not_found", `${path} is not what the run had made any more: run the code again`);
}
