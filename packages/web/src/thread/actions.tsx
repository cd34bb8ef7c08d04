import { createContext, useContext } from "react";
import type { Question } from "./conversation.ts";

/** Actions on a thread from within its transcript. */
export interface ThreadActions {
  readonly threadId: string;
  /** True for a shared thread: no action is offered. */
  readonly isReadOnly: boolean;
  takeBack(messageId: string): void;
  /** Withdraws it and puts its text into the composer. */
  editWaiting(question: Question): void;
  editInBranch(question: Question): void;
  regenerate(messageId: string): void;
  /** False if the server refused it. */
  decide(approvalId: string, decision: Decision): Promise<boolean>;
  /** Runs code in the thread's kernel, without a model. False if the server refused it. */
  runCode(code: string, language: "python" | "shell"): Promise<boolean>;
}

export interface Decision {
  readonly decision: "allow" | "deny";
  readonly remember?: "call" | "tool";
  readonly reason?: string;
  /** The edited arguments. */
  readonly input?: Readonly<Record<string, unknown>>;
}

const ActionsContext = createContext<ThreadActions | undefined>(undefined);

export const ThreadActionsProvider = ActionsContext.Provider;

export function useThreadActions(): ThreadActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("outside of a thread");
  return actions;
}
