import { randomUUID } from "node:crypto";
import type { Approval, ToolCall } from "@atoll/agent";
import type { ThreadEvent } from "../schemas/events.ts";

/** The questions of one run that wait for a user. */
export class Approvals {
  readonly #write: (event: ThreadEvent) => Promise<void>;
  readonly #timeoutMs: number;
  readonly #open = new Map<string, OpenApproval>();
  #refusal: string | undefined;

  constructor(options: { write(event: ThreadEvent): Promise<void>; timeoutMs: number }) {
    this.#write = (event) => options.write(event);
    this.#timeoutMs = options.timeoutMs;
  }

  get open(): readonly string[] {
    return [...this.#open.keys()];
  }

  ask(call: ToolCall): Promise<Approval> {
    if (this.#refusal !== undefined) return Promise.resolve({ decision: "deny", reason: this.#refusal });
    const approvalId = `approval_${randomUUID()}`;
    const { promise, resolve } = Promise.withResolvers<Approval>();
    const timer = setTimeout(
      () => void this.decide(approvalId, { decision: "deny", reason: "Nobody decided in time." }),
      this.#timeoutMs,
    );
    timer.unref();
    this.#open.set(approvalId, { callId: call.callId, resolve, timer });
    void this.#write({
      type: "approval",
      approval_id: approvalId,
      call_id: call.callId,
      tool: call.tool,
      input: call.input,
    });
    return promise;
  }

  /** False when it is not open: never asked, decided already, or its run has ended. */
  async decide(approvalId: string, approval: Approval): Promise<boolean> {
    const open = this.#open.get(approvalId);
    if (open === undefined) return false;
    this.#open.delete(approvalId);
    clearTimeout(open.timer);
    const written = this.#write({
      type: "approval_decided",
      approval_id: approvalId,
      call_id: open.callId,
      ...approval,
    });
    open.resolve(approval);
    await written;
    return true;
  }

  /** From now on everything is refused. */
  end(reason: string): void {
    this.#refusal ??= reason;
    for (const approvalId of this.open) void this.decide(approvalId, { decision: "deny", reason });
  }
}

interface OpenApproval {
  readonly callId: string;
  readonly timer: NodeJS.Timeout;
  resolve(approval: Approval): void;
}
