import type { LanguageModelV4 } from "@ai-sdk/provider";
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
}
