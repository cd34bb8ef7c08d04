import { createContext, useContext } from "react";
import type { Question } from "./conversation.ts";

/** What a reader can do to a thread from within it. */
export interface ThreadActions {
  readonly threadId: string;
  /** Nothing can be done: it is somebody else's thread. */
  readonly isReadOnly: boolean;
  takeBack(messageId: string): void;
  /** Takes it back and puts its text into the composer. */
  editWaiting(question: Question): void;
  editInBranch(question: Question): void;
  regenerate(messageId: string): void;
  /** False when the server did not take it. */
  decide(approvalId: string, decision: Decision): Promise<boolean>;
  /** In the thread's own kernel, without a model. False when the server did not take it. */
  runCode(code: string, language: "python" | "shell"): Promise<boolean>;
}

export interface Decision {
  readonly decision: "allow" | "deny";
  readonly remember?: "call" | "tool";
  readonly reason?: string;
  /** The arguments to run with instead. */
  readonly input?: Readonly<Record<string, unknown>>;
}

const ActionsContext = createContext<ThreadActions | undefined>(undefined);

export const ThreadActionsProvider = ActionsContext.Provider;

export function useThreadActions(): ThreadActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error("outside of a thread");
  return actions;
}
