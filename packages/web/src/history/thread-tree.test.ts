import type { ThreadSummary } from "@atoll/client";
import { describe, expect, it } from "vitest";
import { arrangeThreads } from "./thread-tree.ts";

const now = new Date("2026-03-10T12:00:00");

describe("the tree of threads", () => {
  it("groups threads by age, the latest first", () => {
    const groups = arrangeThreads(
      [
        thread("old", "2025-01-01T10:00:00"),
        thread("new", "2026-03-10T09:00:00"),
        thread("eve", "2026-03-09T23:00:00"),
      ],
      now,
    );
    expect(groups.map(({ age, list }) => [age, ...list.map((entry) => entry.thread.thread_id)])).toEqual([
      ["today", "new"],
      ["yesterday", "eve"],
      ["older", "old"],
    ]);
  });

  it("lists branches below their thread, which moves up to their age", () => {
    const groups = arrangeThreads(
      [
        thread("branch", "2026-03-10T11:00:00", "root"),
        thread("other", "2026-03-10T10:00:00"),
        thread("root", "2026-03-01T10:00:00"),
        thread("twig", "2026-03-02T10:00:00", "branch"),
      ],
      now,
    );
    expect(groups).toHaveLength(1);
    expect(groups[0]?.list.map(({ thread: { thread_id: id }, depth }) => [id, depth])).toEqual([
      ["root", 0],
      ["branch", 1],
      ["twig", 2],
      ["other", 0],
    ]);
  });

  it("lists a branch alone if its thread is gone", () => {
    const groups = arrangeThreads([thread("branch", "2026-03-10T11:00:00", "gone")], now);
    expect(groups[0]?.list.map(({ depth }) => depth)).toEqual([0]);
  });
});

function thread(id: string, at: string, parent?: string): ThreadSummary {
  return {
    thread_id: id,
    title: id,
    created_at: at,
    updated_at: at,
    message_count: 1,
    sandbox_status: "cold",
    parent_thread_id: parent,
  };
}
