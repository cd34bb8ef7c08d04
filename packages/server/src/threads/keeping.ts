import type { AnswerRequest } from "@atoll/agent";
import { AtollError } from "@atoll/sandbox";
import type { RunnerContext } from "./options.ts";

/** Copies of what a run shows and makes: they stay with the thread when the sandbox is gone. */
export function createKeeping(
  context: RunnerContext,
  threadId: string,
): Pick<AnswerRequest, "keepImage" | "keepArtifact"> {
  const { store, limits } = context;
  const toUrl = (hash: string) => `/thread/${threadId}/blobs/${hash}`;
  return {
    keepImage({ base64 }) {
      const content = Buffer.from(base64, "base64");
      const mostBytes = context.keptBytes?.(threadId) ?? Infinity;
      if (store.blobs.usedBytes(threadId) + content.byteLength > mostBytes) return undefined;
      return toUrl(store.blobs.put(threadId, content));
    },

    async keepArtifact(sandbox, artifact) {
      if (artifact.sizeBytes > limits.maxArtifactBytes) return undefined;
      if (store.blobs.stat(threadId, artifact.hash)) return toUrl(artifact.hash);
      if (store.blobs.usedBytes(threadId) + artifact.sizeBytes > limits.maxKeptBytes) return undefined;
      const roomBytes = await context.roomBytes?.(threadId);
      if (roomBytes !== undefined && artifact.sizeBytes > roomBytes) return undefined;
      try {
        const hash = await store.blobs.putStream(threadId, sandbox.files.readStream(artifact.path), {
          maxBytes: limits.maxArtifactBytes,
          expectedHash: artifact.hash,
        });
        return hash === undefined ? undefined : toUrl(hash);
      } catch (error) {
        // The file has been changed or removed since: of this version there is no copy to be had.
        if (error instanceof AtollError && goneCodes.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}

const goneCodes = new Set<AtollError["code"]>(["not_found", "not_a_file", "permission_denied"]);
