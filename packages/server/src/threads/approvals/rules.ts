import type { AskedCall } from "@atoll/agent";
import { AtollError } from "@atoll/sandbox";
import { judge, type Permission, type PermissionRule, permissionRuleSchema } from "@atoll/toolkit";
import { KeyedMutex } from "@atoll/std";
import { maxApprovalRules } from "@atoll/protocol/schemas";
import type { ThreadSettings, ThreadStore } from "../../store/contract.ts";

export interface RulesOptions {
  readonly threads: Pick<ThreadStore, "get" | "update">;
  /** The operator's, for all threads. */
  serverRules(): readonly PermissionRule[];
}

/** What calls may do in each thread. The thread's own rules come after the operator's, and the last one that fits counts. */
export class Rules {
  readonly #options: RulesOptions;
  /** One change of a thread's rules at a time: none overwrites another. */
  readonly #mutex = new KeyedMutex();

  constructor(options: RulesOptions) {
    this.#options = options;
  }

  judge(threadId: string, call: AskedCall): Permission {
    const { threads, serverRules } = this.#options;
    return judge(listRules(serverRules(), threads.get(threadId)?.settings), call);
  }

  /** From now on this holds in the thread, over all that was said before. */
  async remember(threadId: string, rule: PermissionRule): Promise<void> {
    if (!permissionRuleSchema.safeParse(rule).success) {
      throw new AtollError(
        "invalid_argument",
        'This call is too long to be remembered. Decide without "remember", or remember the tool.',
      );
    }
    await this.#mutex.run(threadId, () => this.#append(threadId, rule));
  }

  async #append(threadId: string, rule: PermissionRule): Promise<void> {
    const { threads } = this.#options;
    const settings = threads.get(threadId)?.settings ?? {};
    const rules = settings.approvalRules ?? [];
    if (rules.length >= maxApprovalRules) {
      throw new AtollError(
        "invalid_argument",
        `This thread has ${maxApprovalRules} rules already. Remove some: PATCH /thread/{thread_id} with "approval_rules".`,
      );
    }
    await threads.update(threadId, { settings: { ...settings, approvalRules: [...rules, rule] } });
  }
}

/** In the order in which they are looked through; the last one that fits a call counts. */
export function listRules(
  operators: readonly PermissionRule[],
  settings: ThreadSettings | undefined,
): readonly PermissionRule[] {
  const first = settings?.approvals === "on" ? [askAlways] : [];
  return [...first, ...operators, ...(settings?.approvalRules ?? [])];
}

const askAlways: PermissionRule = { tool: "*", permission: "ask" };
