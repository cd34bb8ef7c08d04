import type { Approval } from "@atoll/agent";
import type { AskedCall } from "@atoll/toolkit";
import type { OpenApproval } from "../contract.ts";
import { type Answer, type Harness, outcome } from "../threads.harness.ts";

/** A call that an agent asks about. */
export const call = (changes: Partial<AskedCall> = {}): AskedCall => ({
  callId: "c1",
  tool: "execute_python",
  input: { code: "1+1" },
  agent: "main",
  ...changes,
});

/** An agent that asks for all of these at once. */
export function makeAsking(...calls: readonly AskedCall[]): { answer: Answer; decisions: Approval[] } {
  const decisions: Approval[] = [];
  const answer: Answer = async (request) => {
    const asked = calls.length > 0 ? calls : [call()];
    decisions.push(...(await Promise.all(asked.map((each) => request.approve(each)))));
    return outcome("", request.signal.aborted ? "stopped" : "completed");
  };
  return { answer, decisions };
}

/** Waits until so many questions are open. */
export async function untilOpen(
  { store, runner }: Harness,
  threadId: string,
  count = 1,
): Promise<OpenApproval[]> {
  const { signal } = new AbortController();
  for await (const _ of store.log.follow(threadId, { after: 0, signal })) {
    const open = [...runner.activity(threadId).approvals];
    if (open.length === count) return open;
  }
  return [];
}
