import type { DoneEvent, StoredEvent, ThreadEvent } from "@atoll/client";
import { describe, expect, it } from "vitest";
import { type Answer, type Conversation, emptyConversation, type Item, readEvents } from "./conversation.ts";

const started = { type: "run_started", run_id: "r1", message_id: "m1", model: "built-in" } as const;

describe("questions", () => {
  it("keeps a question waiting until its run starts", () => {
    const asked = read(message("m1", "How many?"));
    expect(asked.items).toMatchObject([
      { kind: "question", text: "How many?", state: "waiting", isCode: false },
    ]);
    expect(read(message("m1", "How many?"), started).items).toMatchObject([
      { state: "taken" },
      { kind: "answer" },
    ]);
  });

  it("keeps waiting questions below the running answer", () => {
    const { items } = read(message("m1", "first"), message("m2", "second"), started, token("well"));
    expect(items.map(({ id }) => id)).toEqual(["m1", "r1", "m2"]);
  });

  it("removes a question that is withdrawn", () => {
    expect(read(message("m1", "x"), { type: "message_removed", message_id: "m1" }).items).toEqual([]);
  });

  it("recognizes code that the user runs", () => {
    expect(read({ ...message("m1", "1+1"), kind: "code" }).items).toMatchObject([{ isCode: true }]);
  });
});

describe("answers", () => {
  it("joins the text between calls", () => {
    const { parts } = answerOf(
      read(message("m1", "?"), started, token("a"), token("b"), call("c1"), token("c")),
    );
    expect(parts.map((part) => (part.kind === "words" ? part.text : part.id))).toEqual(["ab", "c1", "c"]);
  });

  it("shows the status until there is text", () => {
    const waiting = read(message("m1", "?"), started, { type: "status", text: "Waking the sandbox" });
    expect(answerOf(waiting).status).toEqual({ text: "Waking the sandbox" });
    expect(answerOf(readEvents(waiting, [stored(token("a"), 99)])).status).toBeUndefined();
  });

  it("keeps the error and the end of an answer", () => {
    const done = { type: "done", status: "stopped", response: "a", total_ms: 5 } as unknown as DoneEvent;
    expect(answerOf(read(message("m1", "?"), started, token("a"), done)).done?.status).toBe("stopped");
  });

  it("keeps the identity of answers that an event does not touch", () => {
    const before = read(message("m1", "?"), started, token("a"));
    const after = readEvents(before, [stored(message("m2", "and?"), 99)]);
    expect(after.items[1]).toBe(before.items[1]);
  });
});

describe("calls", () => {
  it("collects the output of a call by stream, and its result", () => {
    const [made] = callsOf(
      call("c1"),
      output("c1", "stdout", "a"),
      output("c1", "stdout", "b"),
      output("c1", "stderr", "!"),
      {
        type: "tool_result",
        call_id: "c1",
        tool: "execute_python",
        output: "ab",
        is_error: false,
        duration_ms: 7,
      },
    );
    expect(made?.output).toEqual([
      { stream: "stdout", text: "ab" },
      { stream: "stderr", text: "!" },
    ]);
    expect(made?.reply).toEqual({ output: "ab", isError: false, durationMs: 7 });
  });

  it("nests the calls of programs and sub-agents, at any depth", () => {
    const [outer] = callsOf(
      call("c1", { tool: "task" }),
      call("c2", { parent_call_id: "c1", agent: "task" }),
      call("c3", { parent_call_id: "c2" }),
      output("c3", "stdout", "deep"),
    );
    expect(outer?.calls[0]).toMatchObject({ id: "c2", agent: "task" });
    expect(outer?.calls[0]?.calls[0]).toMatchObject({ id: "c3", output: [{ text: "deep" }] });
  });

  it("keeps the approval of a call and its decision", () => {
    const asked = {
      type: "approval",
      approval_id: "a1",
      call_id: "c1",
      tool: "execute_shell",
      input: {},
    } as const;
    const decided = {
      type: "approval_decided",
      approval_id: "a1",
      call_id: "c1",
      decision: "deny",
      by: "user",
      reason: "keep it",
    } as const;
    expect(callsOf(call("c1"), asked)[0]?.approval).toMatchObject({ asked: { approval_id: "a1" } });
    expect(callsOf(call("c1"), asked, decided)[0]?.approval?.decided).toMatchObject({ reason: "keep it" });
  });
});

describe("refused hosts", () => {
  it("lists a refused host once, at the latest call of the running answer", () => {
    const [, last] = callsOf(call("c1"), call("c2"), refused("example.com"), refused("example.com"));
    expect(last?.refusals).toMatchObject([{ host: "example.com", count: 2 }]);
  });

  it("lists a refused host as a notice when nothing runs", () => {
    const { items } = read(refused("a.example"), refused("b.example", 8443));
    expect(items).toMatchObject([
      { kind: "notice", event: { refusals: [{ host: "a.example" }, { host: "b.example:8443" }] } },
    ]);
  });

  it("ignores hosts that were reached", () => {
    expect(read({ ...refused("a.example"), outcome: "allowed" }).items).toEqual([]);
  });
});

describe("the conversation", () => {
  it("skips events that it has read", () => {
    const events = [stored(message("m1", "?"), 1), stored(started, 2), stored(token("a"), 3)];
    const once = readEvents(emptyConversation, events);
    expect(readEvents(once, events)).toEqual(once);
    expect(once.lastEventId).toBe(3);
  });

  it("keeps the latest title and data", () => {
    const data = { tables: [], others: [] };
    const read1 = read(
      { type: "title", title: "one" },
      { type: "title", title: "two" },
      { type: "data", data },
    );
    expect(read1).toMatchObject({ title: "two", data });
  });
});

function read(...events: readonly ThreadEvent[]): Conversation {
  return readEvents(
    emptyConversation,
    events.map((event, index) => stored(event, index + 1)),
  );
}

function stored(event: ThreadEvent, id: number): StoredEvent {
  const isOutside = ["message", "message_removed", "title", "data", "network"].includes(event.type);
  return {
    id,
    thread_id: "t",
    at: "2026-01-01T00:00:00Z",
    ...(isOutside ? {} : { run_id: "r1" }),
    ...event,
  } as StoredEvent;
}

function answerOf({ items }: Conversation): Answer {
  const found = items.find((item): item is Item & Answer => item.kind === "answer");
  if (!found) throw new Error("no answer");
  return found;
}

function callsOf(...events: readonly ThreadEvent[]) {
  const { parts } = answerOf(read(message("m1", "?"), started, ...events));
  return parts.filter((part) => part.kind === "call");
}

function message(id: string, text: string) {
  return { type: "message", message_id: id, role: "user", text, mode: "queue" } as const;
}

function token(text: string) {
  return { type: "token", text } as const;
}

function call(id: string, more: { tool?: string; parent_call_id?: string; agent?: string } = {}) {
  return { type: "tool_call", call_id: id, tool: "execute_python", input: {}, ...more } as const;
}

function output(id: string, stream: "stdout" | "stderr", text: string) {
  return { type: "output", call_id: id, stream, text } as const;
}

function refused(host: string, port = 443) {
  return {
    type: "network",
    started_at: "2026-01-01T00:00:00Z",
    method: "CONNECT",
    host,
    port,
    outcome: "refused",
    count: 1,
    sent_bytes: 0,
    received_bytes: 0,
    duration_ms: 1,
  } as const;
}
