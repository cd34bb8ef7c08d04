import type { z } from "zod";
import type { answerSchema, StoredEvent } from "@atoll/protocol";
import { toResults } from "./results-view.ts";

type Answer = z.infer<typeof answerSchema>;

/** What a caller who waits gets: the run's end, with the tables, images, files and the failure of that run. */
export function readAnswer(done: StoredEvent & { type: "done" }, events: readonly StoredEvent[]): Answer {
  const { type: _, id: __, at: ___, ...outcome } = done;
  const failure = events.findLast((event) => event.type === "error");
  return {
    ...outcome,
    run_id: done.run_id,
    results: events.flatMap(toResults),
    ...(failure
      ? {
          error: {
            code: failure.code,
            message: failure.message,
            hint: failure.hint,
          },
        }
      : {}),
  };
}
