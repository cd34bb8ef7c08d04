import { answerBuiltIn } from "@atoll/analyst";
import type { RunOutcome } from "@atoll/protocol";
import { answerWithAnalyst } from "./with-analyst.ts";
import { answerWithCode } from "./with-code.ts";
import { answerWithModel } from "./with-model.ts";
import type { AnswerRequest } from "../request.ts";

/**
 * Answers one message. Emits every event of the run but `done`, which the caller makes of the outcome. A failing model,
 * tool or sandbox ends in an `error` event and a failed outcome; what is thrown is a defect.
 */
export async function answer(request: AnswerRequest): Promise<RunOutcome> {
  const { model } = request;
  if (model.kind === "user") return answerWithCode(request, model);
  return model.kind === "built-in"
    ? answerWithAnalyst(request, answerBuiltIn)
    : answerWithModel(request, model);
}
