import { AtollError } from "@atoll/sandbox";
import type { FileOperationError } from "deepagents";
import { RefusedError } from "./guard.ts";

/** A failure is an answer with `error`, as the protocol has it. Only a defect is thrown. */
export async function answerErrors<Result>(work: () => Promise<Result>): Promise<Result | { error: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    const isOfFiles = error.code === "permission_denied" && !(error instanceof RefusedError);
    const hint = isOfFiles ? " (write to /workspace, or to /session/artifacts what is for the user)" : "";
    return { error: `${error.message}${hint}` };
  }
}

/** The protocol has four codes. What fits none of them is thrown. */
export function nameError(error: unknown): FileOperationError {
  if (!(error instanceof AtollError)) throw error;
  switch (error.code) {
    case "not_found":
    case "not_a_folder":
      return "file_not_found";
    case "not_a_file":
      return "is_directory";
    case "permission_denied":
      return "permission_denied";
    case "invalid_argument":
      return "invalid_path";
    default:
      throw error;
  }
}
