import { Mutex } from "@atoll/std";
import { AtollError } from "../../errors.ts";

/** For the runs of one kernel: one at a time. A caller that gives up while it waits gets `aborted`. */
export function newRunMutex(): Mutex {
  return new Mutex({
    makeAbortError: ({ reason }) =>
      new AtollError("aborted", "the caller gave up before its run began", { cause: reason }),
  });
}
