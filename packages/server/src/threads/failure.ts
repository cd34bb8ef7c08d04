import { AtollError } from "@atoll/sandbox";
import type { ThreadEvent } from "@atoll/protocol";

type ErrorEvent = Extract<ThreadEvent, { type: "error" }>;

/** An error as the user sees it. What is not meant for users is told in general terms. */
export function toErrorEvent(error: unknown): ErrorEvent {
  if (!(error instanceof AtollError) || error.code === "internal") {
    return {
      type: "error",
      code: "internal",
      message: "The server met a defect of its own while it answered.",
      hint: "Send the message again. If it fails again, the server's log says why.",
    };
  }
  return { type: "error", code: error.code, message: error.message, hint: hints[error.code] ?? defaultHint };
}

export const interruptedHint = "Send the message again to get a whole answer.";

const defaultHint = "Send the message again.";

const hints: Partial<Record<AtollError["code"], string>> = {
  runtime_unavailable: "Whoever runs this server has to install or allow what the message names.",
  disk_full: "Make room on the server's disk, then send the message again.",
  not_found: "Check the files of this thread, then send the message again.",
  too_large: "Use less, or give the sandbox more, as the message says.",
  invalid_argument: "Correct the setting that the message names, then send the message again.",
};
