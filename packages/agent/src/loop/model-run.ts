import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { SubAgents } from "@atoll/toolkit";
import type { ChosenModel } from "../models/choice.ts";
import type { AnswerLimits, AnswerRequest } from "../request.ts";
import type { Conversation } from "./conversation.ts";
import type { RunRecord } from "./record.ts";

/** What the parts of the loop share. */
export interface ModelRun {
  readonly request: AnswerRequest;
  readonly choice: ChosenModel;
  readonly model: LanguageModelV4;
  readonly conversation: Conversation;
  readonly record: RunRecord;
  readonly limits: AnswerLimits;
  /** Whose run it is, for rules and users: `main` talks to the user. */
  readonly agent: string;
  /** The call that it is a part of, where it works for another agent. */
  readonly parentCallId?: string;
  /** Those that may work for this one, as a part of this call. */
  agents?(callId: string): SubAgents;
  /** Its work is done without a last word. */
  isDone?(): boolean;
}
