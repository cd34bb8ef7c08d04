import { AtollError } from "@atoll/sandbox";

export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AtollError("aborted", "stopped by the caller");
}
