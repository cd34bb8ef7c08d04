import type { JobList, Operations, ThreadSandboxList } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

type JobKind = Operations["reviveJob"]["params"]["kind"];

/** For whoever runs the server. */
export class Operator {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What is going to happen to threads' sandboxes, and what failed for good. */
  jobs({ signal }: CallOptions = {}): Promise<JobList> {
    return this.#transport.call("listJobs", { signal });
  }

  /** Gives a job that failed for good all its tries again. False when there is none. */
  async reviveJob(threadId: string, kind: JobKind, { signal }: CallOptions = {}): Promise<boolean> {
    const params = { thread_id: threadId, kind };
    return (await this.#transport.call("reviveJob", { params, signal })).revived;
  }

  /** Threads' sandboxes that are hot or warm. */
  sandboxes({ signal }: CallOptions = {}): Promise<ThreadSandboxList> {
    return this.#transport.call("listThreadSandboxes", { signal });
  }
}
