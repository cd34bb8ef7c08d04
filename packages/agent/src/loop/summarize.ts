import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { userMessage } from "../prompt/messages.ts";
import { takeStep } from "./retry.ts";
import type { LoopEnd } from "./loop.ts";
import type { ModelRun } from "./model-run.ts";

/**
 * All steps are used up: a last call sums up what was found. The tools stay declared, because a conversation with calls
 * in it is refused without them by some, but the model may not call any.
 */
export async function summarizeAnswer(run: ModelRun, tools: LanguageModelV4FunctionTool[]): Promise<LoopEnd> {
  const { maxSteps } = run.limits;
  run.record.emit({
    type: "status",
    code: "summing_up",
    text: `All ${maxSteps} steps are used up: summing up`,
  });
  run.record.startParagraph();
  run.conversation.add(
    userMessage(
      "[You have used all your steps and cannot call tools any more. Answer the user now with what you have found, and say what is still open.]",
    ),
  );
  const end = await takeStep(run, { tools, toolChoice: { type: "none" } });
  if (end.kind === "stopped") return end;
  if (end.kind === "failed" || end.text.trim() === "") {
    run.record.say(
      `I stopped after ${maxSteps} steps without a complete answer. What was found so far is above; ask me to go on, or ask for a smaller part.`,
    );
  }
  return { kind: "completed" };
}
