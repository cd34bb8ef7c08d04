import { describe, expect, it } from "vitest";
import { watchAnswer } from "./answer-end.ts";
import type { StoredEvent } from "./events/thread-events.ts";

const envelope = { id: 1, thread_id: "t", at: "2025-01-01T00:00:00Z" };

function findEnd(events: readonly object[], messageId?: string): number {
  const isAnswerEnd = watchAnswer(messageId);
  return events.findIndex((each) => {
    const event = { ...envelope, ...each } as StoredEvent;
    return isAnswerEnd({ type: event.type, event });
  });
}

describe("the end of an answer", () => {
  it("is the done of the message's own run, not of a run before it", () => {
    const events = [
      { type: "done", run_id: "r0", message_id: "m0" },
      { type: "token", text: "hi" },
      { type: "done", run_id: "r1", message_id: "m1" },
    ];
    expect(findEnd(events, "m1")).toBe(2);
    expect(findEnd(events.slice(0, 2), "m1")).toBe(-1);
  });

  it("is the done of the run that the message steered", () => {
    const events = [
      { type: "steered", run_id: "r2", message_id: "m3" },
      { type: "steered", run_id: "r1", message_id: "m2" },
      { type: "done", run_id: "r2", message_id: "m0" },
      { type: "done", run_id: "r1", message_id: "m1" },
    ];
    expect(findEnd(events, "m2")).toBe(3);
  });

  it("is the removal of the message", () => {
    const events = [
      { type: "message_removed", message_id: "m0" },
      { type: "message_removed", message_id: "m1" },
    ];
    expect(findEnd(events, "m1")).toBe(1);
  });

  it("without an id is that of the first message of the stream", () => {
    const events = [
      { type: "message", message_id: "m1" },
      { type: "message", message_id: "m2" },
      { type: "done", run_id: "r2", message_id: "m2" },
      { type: "done", run_id: "r1", message_id: "m1" },
    ];
    expect(findEnd(events)).toBe(3);
  });

  it("is found without parsing the events that cannot be it", () => {
    const isAnswerEnd = watchAnswer("m1");
    const token = {
      type: "token",
      get event(): StoredEvent {
        throw new Error("parsed");
      },
    };
    expect(isAnswerEnd(token)).toBe(false);
  });
});
