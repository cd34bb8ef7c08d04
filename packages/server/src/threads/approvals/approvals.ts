import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Approval } from "@atoll/agent";
import {
  type AskedCall,
  findTool,
  parseInput,
  type ParsedInput,
  type Permission,
  type PermissionRule,
  ruleFor,
} from "@atoll/toolkit";
import type { ThreadEvent } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import type { Decision, OpenApproval } from "../contract.ts";
import type { ApprovalAsked } from "../resume.ts";

type DecidedEvent = Extract<ThreadEvent, { type: "approval_decided" }>;

export interface ApprovalsOptions {
  write(event: ThreadEvent): Promise<void>;
  /** What the rules say at this moment. */
  judge(call: AskedCall): Permission;
  remember(rule: PermissionRule): Promise<void>;
  /** Called with what the run waits for: the run is at rest until it settles. */
  whileWaiting<Result>(waiting: Promise<Result>): Promise<Result>;
  readonly timeoutMs: number;
}

/** The open approvals of one run. A decision is stored before it takes effect. */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #open = new Map<string, Question>();
  /** Asked by an earlier server, by call id: the resumed agent asks again. */
  readonly #restored = new Map<string, { asked: OpenApproval; decided: Promise<Approval> }>();
  #refusal: string | undefined;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  get open(): readonly OpenApproval[] {
    return [...this.#open.values()].map(({ asked }) => asked);
  }

  /** Decides by the rules at once, or asks a user. `signal`: the call was abandoned, and so is its approval. */
  async seek(call: AskedCall, signal?: AbortSignal): Promise<Approval> {
    const restored = this.#restored.get(call.callId);
    if (restored && isSameCall(restored.asked, call)) return { ...(await restored.decided), hasWaited: true };
    if (restored) this.#giveUp(restored.asked.approvalId, "The call has changed.");
    if (this.#refusal !== undefined) return { decision: "deny", by: "end", reason: this.#refusal };
    const permission = this.#options.judge(call);
    if (permission === "allow") return { decision: "allow" };
    if (permission === "deny") return { decision: "deny", by: "rule" };
    const asking = this.#ask(call, signal);
    // A program that asks runs in the sandbox, and may have other calls under way.
    const isAlone = call.parentCallId === undefined;
    return { ...(await (isAlone ? this.#options.whileWaiting(asking) : asking)), hasWaited: true };
  }

  /** Reopens an approval of an earlier server, with what is left of its time. */
  restore(event: ApprovalAsked): void {
    const asked = fromEvent(event, this.#options.timeoutMs);
    this.#restored.set(asked.callId, { asked, decided: this.#wait(asked) });
  }

  /** Resolves when every approval of an earlier server is decided. */
  async untilRestoredAreDecided(): Promise<void> {
    await Promise.all([...this.#restored.values()].map(({ decided }) => decided));
  }

  /** The user's decision. False when the approval is not open: unknown, already decided, or its run has ended. */
  async decide(approvalId: string, { decision, reason, remember, input }: Decision): Promise<boolean> {
    const question = this.#open.get(approvalId);
    if (question === undefined || question.isTaken) return false;
    const { asked } = question;
    const edited = input === undefined ? undefined : parseEdited({ ...asked, input }, decision);
    const judged = { ...asked, input: edited ?? asked.input };
    if (edited && this.#options.judge(judged) === "deny")
      throw new AtollError("invalid_argument", "A rule denies the call with these arguments.");
    question.isTaken = true;
    try {
      if (remember) await this.#options.remember(ruleFor(judged, decision, remember));
    } catch (error) {
      question.isTaken = false;
      throw error;
    }
    const isDecided = await this.#settle(
      approvalId,
      {
        decision,
        by: "user",
        reason,
        input: edited,
      },
      remember,
    );
    if (remember) this.reconsider();
    return isDecided;
  }

  /** The rules have changed: decides the open approvals that they cover now. */
  reconsider(): void {
    for (const { asked, isTaken } of this.#open.values()) {
      const permission = isTaken ? "ask" : this.#options.judge(asked);
      if (permission !== "ask") void this.#settle(asked.approvalId, { decision: permission, by: "rule" });
    }
  }

  /** Refuses everything from now on. */
  end(reason: string): void {
    this.#refusal ??= reason;
    for (const approvalId of this.#open.keys()) this.#giveUp(approvalId, reason);
  }

  /** Leaves the open approvals in the log for the next server. */
  suspend(): void {
    this.#refusal ??= "The server is shutting down.";
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
  }

  async #ask(call: AskedCall, signal: AbortSignal | undefined): Promise<Approval> {
    const now = Date.now();
    const asked = {
      ...call,
      approvalId: `approval_${randomUUID()}`,
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + this.#options.timeoutMs).toISOString(),
    };
    const decided = this.#wait(asked);
    void this.#options.write(toEvent(asked));
    const giveUp = () => this.#giveUp(asked.approvalId, "The call was abandoned.");
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    return decided.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  #wait(asked: OpenApproval): Promise<Approval> {
    const { promise, resolve } = Promise.withResolvers<Approval>();
    const { approvalId } = asked;
    const expire = () => void this.#settle(approvalId, { decision: "deny", by: "timeout" });
    const leftMs = Math.max(0, Date.parse(asked.expiresAt) - Date.now());
    const timer = setTimeout(expire, leftMs);
    timer.unref();
    this.#open.set(approvalId, { asked, resolve, timer, isTaken: false });
    return promise;
  }

  #giveUp(approvalId: string, reason: string): void {
    void this.#settle(approvalId, { decision: "deny", by: "end", reason });
  }

  async #settle(approvalId: string, approval: Approval, remember?: Decision["remember"]): Promise<boolean> {
    const question = this.#open.get(approvalId);
    if (question === undefined) return false;
    this.#open.delete(approvalId);
    clearTimeout(question.timer);
    const event: DecidedEvent = {
      type: "approval_decided",
      approval_id: approvalId,
      call_id: question.asked.callId,
      ...approval,
      remember,
    };
    await this.#options.write(event);
    question.resolve(approval);
    return true;
  }
}

interface Question {
  readonly asked: OpenApproval;
  readonly timer: NodeJS.Timeout;
  /** A decision is being stored. */
  isTaken: boolean;
  resolve(approval: Approval): void;
}

/** After a restart the user sees the call from the log, so only that call may run. */
function isSameCall(asked: OpenApproval, call: AskedCall): boolean {
  const input: unknown = JSON.parse(JSON.stringify(call.input));
  return asked.tool === call.tool && asked.agent === call.agent && isDeepStrictEqual(asked.input, input);
}

function parseEdited({ tool: name, input }: OpenApproval, decision: Decision["decision"]): ParsedInput {
  if (decision === "deny") {
    throw new AtollError(
      "invalid_argument",
      '"input" is for a call that is allowed, but this one is denied.',
    );
  }
  const tool = findTool(name);
  if (!tool)
    throw new AtollError(
      "invalid_argument",
      `The arguments of ${name} cannot be changed: leave out "input".`,
    );
  const parsed = parseInput(tool, input);
  if ("fault" in parsed) throw new AtollError("invalid_argument", parsed.fault);
  return parsed.input;
}

function toEvent(asked: OpenApproval): ThreadEvent {
  return {
    type: "approval",
    approval_id: asked.approvalId,
    call_id: asked.callId,
    tool: asked.tool,
    input: asked.input,
    agent: asked.agent,
    parent_call_id: asked.parentCallId,
    expires_at: asked.expiresAt,
  };
}

/** `timeoutMs`: used if the log does not say when it expires. */
function fromEvent(event: ApprovalAsked, timeoutMs: number): OpenApproval {
  return {
    approvalId: event.approval_id,
    callId: event.call_id,
    tool: event.tool,
    input: event.input,
    agent: event.agent ?? "main",
    parentCallId: event.parent_call_id,
    askedAt: event.at,
    expiresAt: event.expires_at ?? new Date(Date.parse(event.at) + timeoutMs).toISOString(),
  };
}
