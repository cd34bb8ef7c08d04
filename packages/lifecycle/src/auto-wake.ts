import {
  hookCalls,
  type OngoingCall,
  type Sandbox,
  type SandboxCall,
  type SandboxHandle,
} from "@atoll/sandbox";
import { isSandboxDead } from "./suspend.ts";
import type { LiveSandbox, ThreadRegistry } from "./thread-sandbox.ts";

export interface AutoWakeOptions {
  readonly threads: ThreadRegistry;
  /** Wakes the thread with the options of its last wake. */
  wakeAgain(threadId: string): Promise<unknown>;
  markDead(live: LiveSandbox): void;
}

/** Makes the sandboxes that callers get: each call wakes the thread first and keeps it awake until it has ended. */
export class AutoWake {
  readonly #options: AutoWakeOptions;

  constructor(options: AutoWakeOptions) {
    this.#options = options;
  }

  /** Works for as long as the thread exists. `info` is that of the thread's live sandbox, or of `lastHandle`. */
  createSandbox(threadId: string, lastHandle: SandboxHandle): Sandbox {
    const { threads } = this.#options;
    return hookCalls(lastHandle, {
      info: () => (threads.live(threadId)?.handle ?? lastHandle).info,
      beforeCall: (call) => this.#begin(threadId, call),
    });
  }

  /** Calls that change something wait for a checkpoint in progress. */
  async #begin(threadId: string, call: SandboxCall): Promise<OngoingCall> {
    while (true) {
      const live = this.#options.threads.live(threadId);
      if (!live?.isReady) await this.#options.wakeAgain(threadId);
      else if (call.isChange && live.checkpointing) await live.checkpointing;
      else return this.#beginNow(live, call);
    }
  }

  #beginNow(live: LiveSandbox, { method, isChange }: SandboxCall): OngoingCall {
    const { threads, markDead } = this.#options;
    threads.beginCall(live);
    if (isChange) {
      live.isChanged = true;
      if (method.startsWith("python.")) live.hasRunPython = true;
      else live.hasNonPythonChanges = true;
    }
    return {
      sandbox: live.handle,
      end: (error) => {
        threads.endCall(live);
        if (isSandboxDead(error)) markDead(live);
      },
    };
  }
}
