import { answerBuiltIn } from "./analyst/answer.ts";
import type { RunOutcome } from "./events.ts";
import { answerWithAnalyst } from "./loop/with-analyst.ts";
import { answerWithModel } from "./loop/with-model.ts";
import type { AnswerRequest } from "./request.ts";

/**
 * Answers one message. Emits every event of the run but `done`, which the caller makes of the outcome. A failing model,
 * tool or sandbox ends in an `error` event and a failed outcome; what is thrown is a defect.
 */
export async function answer(request: AnswerRequest): Promise<RunOutcome> {
  return request.model.kind === "built-in"
    ? answerWithAnalyst(request, answerBuiltIn)
    : answerWithModel(request, request.model);
}
