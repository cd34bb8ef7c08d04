import { continueRequest, type Finished } from "./retry.ts";
import type { Complaint } from "./loop.ts";

export type Verdict =
  | { readonly kind: "done"; readonly remark?: string }
  /** Something is missing: the model is asked for it. */
  | { readonly kind: "nudge"; readonly request: string }
  | { readonly kind: "failed"; readonly complaint: Complaint };

const MAX_NUDGES = 2;

/** Whether a message without tool calls is an answer. */
export function judgeFinish({ text, reason }: Finished, nudges: number): Verdict {
  const isEmpty = text.trim() === "";
  if (reason === "content-filter") {
    return isEmpty
      ? failed(
          "model_refused",
          "The provider's content filter stopped the answer.",
          "Put the question differently.",
        )
      : { kind: "done", remark: "The provider's content filter cut the answer short" };
  }
  if (!isEmpty && reason !== "length") return { kind: "done" };
  if (nudges < MAX_NUDGES) {
    return {
      kind: "nudge",
      request: isEmpty ? "[Your answer was empty. Answer the user.]" : continueRequest,
    };
  }
  return isEmpty
    ? failed(
        "model_error",
        "The model gave an empty answer.",
        "Send the message again, or choose another model.",
      )
    : { kind: "done", remark: "The answer was cut at the model's output limit" };
}

function failed(code: string, message: string, hint: string): Verdict {
  return { kind: "failed", complaint: { code, message, hint } };
}
