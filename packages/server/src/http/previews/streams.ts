import type { Duplex } from "node:stream";
import type { ThreadSandboxes } from "@atoll/lifecycle";
import type { Sandbox } from "@atoll/sandbox";
import type { ApiSandboxes } from "../../api-sandboxes/api-sandboxes.ts";

export interface StreamSources {
  isThread(id: string): Promise<boolean>;
  openSandbox(threadId: string): Promise<Sandbox>;
  readonly threadSandboxes: Pick<ThreadSandboxes, "keepAwake">;
  readonly apiSandboxes: Pick<ApiSandboxes, "use">;
}

/** A stream to a port of a thread's sandbox, which it wakes and keeps awake, or of a program's. */
export function openPreviewStream(sources: StreamSources) {
  return async (id: string, port: number): Promise<Duplex> => {
    if (!(await sources.isThread(id)))
      return sources.apiSandboxes.use(id, ({ ports }) => ports.connect(port));
    const release = sources.threadSandboxes.keepAwake(id);
    try {
      const stream = await (await sources.openSandbox(id)).ports.connect(port);
      stream.once("close", release);
      return stream;
    } catch (error) {
      release();
      throw error;
    }
  };
}
