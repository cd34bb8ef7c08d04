import {
  type AskedCall,
  judge,
  type Permission,
  type PermissionRule,
  permissionRuleSchema,
} from "@atoll/toolkit";
import { AtollError } from "@atoll/sandbox";
import { Mutex } from "@atoll/std";
import { maxApprovalRules } from "@atoll/protocol/schemas";
import type { ThreadSettings } from "../../store/contract.ts";
import type { RunnerContext } from "../options.ts";

/** What calls may do in a thread. Its own rules come after the operator's, and the last rule that matches counts. */
export class Rules {
  readonly #context: RunnerContext;
  readonly #threadId: string;
  /** One change at a time, so that none overwrites another. */
  readonly #mutex = new Mutex();

  constructor(context: RunnerContext, threadId: string) {
    this.#context = context;
    this.#threadId = threadId;
  }

  judge(call: AskedCall): Permission {
    const { store, approvalRules } = this.#context;
    return judge(listRules(approvalRules?.() ?? [], store.threads.get(this.#threadId)?.settings), call);
  }

  /** Adds a rule to the thread. It takes precedence over all earlier ones. */
  async remember(rule: PermissionRule): Promise<void> {
    if (!permissionRuleSchema.safeParse(rule).success) {
      throw new AtollError(
        "invalid_argument",
        'This call is too long to be remembered. Decide without "remember", or remember the tool.',
      );
    }
    await this.#mutex.run(() => this.#append(rule));
  }

  async #append(rule: PermissionRule): Promise<void> {
    const { threads } = this.#context.store;
    const settings = threads.get(this.#threadId)?.settings ?? {};
    const rules = settings.approvalRules ?? [];
    if (rules.length >= maxApprovalRules) {
      throw new AtollError(
        "invalid_argument",
        `This thread already has ${maxApprovalRules} rules. Remove some: PATCH /thread/{thread_id} with "approval_rules".`,
      );
    }
    await threads.update(this.#threadId, { settings: { ...settings, approvalRules: [...rules, rule] } });
  }
}

/** Rules in order of precedence: the last one that matches a call counts. */
export function listRules(
  operators: readonly PermissionRule[],
  settings: ThreadSettings | undefined,
): readonly PermissionRule[] {
  const first = settings?.approvals === "on" ? [ASK_ALWAYS] : [];
  return [...first, ...operators, ...(settings?.approvalRules ?? [])];
}

const ASK_ALWAYS: PermissionRule = { tool: "*", permission: "ask" };
