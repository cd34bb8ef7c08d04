import { type AnswerRequest, type Awake, type ModelChoice, nameModel, type UserCode } from "@atoll/agent";
import { AtollError } from "@atoll/sandbox";
import { rejectOnAbort } from "@atoll/std";
import type { ThreadSettings } from "../store/contract.ts";
import type { WaitingMessage } from "./messages.ts";
import type { RunnerContext } from "./options.ts";
import type { Thread } from "./thread.ts";

/** Chooses what answers a message: a model, the built-in analyst or, for code, the kernel itself. */
export function chooseAnswerer(
  { language }: WaitingMessage,
  settings: ThreadSettings,
  { resolveModel }: Pick<RunnerContext, "resolveModel">,
): { readonly model: ModelChoice | UserCode; readonly name: string } {
  const model = language ? ({ kind: "user", language } as const) : resolveModel(settings);
  return { model, name: nameModel(model) };
}

/** The parts of a request that depend on the thread and on this server, not on the message. */
export function describeThread({
  id,
  context,
  restoreNotices,
}: Thread): Pick<
  AnswerRequest,
  "restore" | "network" | "runtime" | "tools" | "toolContext" | "keepImage" | "keepArtifact"
> {
  const { store, tools, toolContext, networkOf } = context;
  const settings = store.threads.get(id)?.settings ?? {};
  return {
    restore: restoreNotices.pending,
    network: networkOf?.(settings),
    runtime: settings.runtime,
    tools,
    toolContext: toolContext?.(id),
    ...keepCopies(context, id),
  };
}

/** Copies images and artifacts of a run, so that they outlive the sandbox. */
function keepCopies(
  context: RunnerContext,
  threadId: string,
): Pick<AnswerRequest, "keepImage" | "keepArtifact"> {
  const { store, limits } = context;
  const toUrl = (hash: string) => `/thread/${threadId}/blobs/${hash}`;
  return {
    keepImage({ base64 }) {
      const content = Buffer.from(base64, "base64");
      const maxBytes = context.keptBytes?.(threadId) ?? Infinity;
      if (store.blobs.usedBytes(threadId) + content.byteLength > maxBytes) return undefined;
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
        // The file was changed or removed since: this version cannot be copied any more.
        if (error instanceof AtollError && GONE_CODES.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}

const GONE_CODES = new Set<AtollError["code"]>(["not_found", "not_a_file", "permission_denied"]);

/** The thread's sandbox as one run wakes it. */
export class RunSandbox {
  /** As the user reads it, e.g. `cold→hot (35ms)`. */
  state = "unknown";
  readonly #open: () => Promise<Awake>;
  readonly #signal: AbortSignal;
  #isUsed: boolean;
  #latest: Promise<Awake | undefined> = Promise.resolve(undefined);

  /** `isResumed`: the run has used the sandbox before, so its state now is not the state before the run. */
  constructor(thread: Thread, runId: string, signal: AbortSignal, { isResumed = false } = {}) {
    this.#isUsed = isResumed;
    this.#open = () => thread.wake(this.#isUsed ? undefined : runId);
    this.#signal = signal;
  }

  /** Each call wakes it again: the caller found it dead, or waited so long that it may have been suspended. */
  async wake(): Promise<Awake> {
    const waking = this.#open();
    this.#isUsed = true;
    this.#latest = waking.catch(() => undefined);
    const awake = await rejectOnAbort(waking, this.#signal);
    this.state = awake.state;
    return awake;
  }

  /** Waits for the last wake to end. Resolves with whether the run had the sandbox. */
  async settled(): Promise<boolean> {
    return (await this.#latest) !== undefined;
  }
}
