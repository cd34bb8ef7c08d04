import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import { describe, expect, it } from "vitest";
import { bridgeInterruption } from "./resume.ts";

const call = (callId: string, parent?: string): ThreadEvent => ({
  type: "tool_call",
  call_id: callId,
  tool: "t",
  input: {},
  parent_call_id: parent,
});
const result = (callId: string): ThreadEvent => ({
  type: "tool_result",
  call_id: callId,
  tool: "t",
  output: "",
  is_error: false,
  duration_ms: 0,
});
const asked = (callId: string): ThreadEvent => ({
  type: "approval",
  approval_id: `a_${callId}`,
  call_id: callId,
  tool: "t",
  input: {},
});
const decided = (callId: string): ThreadEvent => ({
  type: "approval_decided",
  approval_id: `a_${callId}`,
  call_id: callId,
  decision: "allow",
});

function bridge(...events: readonly ThreadEvent[]): string[] | undefined {
  const stored = events.map((event, id) => ({ ...event, id, thread_id: "t", at: "" }) as StoredEvent);
  return bridgeInterruption(stored)?.map((event) => {
    return `${event.type} ${"call_id" in event ? event.call_id : ""}`;
  });
}

describe("a run whose server has gone", () => {
  it.each([
    ["before it called a tool", []],
    ["while a call ran", [call("c1")]],
    ["after its last call", [call("c1"), result("c1")]],
    ["while a call ran that was allowed", [call("c1"), asked("c1"), decided("c1")]],
    ["while a call of a program ran", [call("c1"), call("i1", "c1")]],
    [
      "while a program ran whose call was allowed",
      [call("c1"), call("i1", "c1"), asked("i1"), decided("i1")],
    ],
  ])("cannot go on when that was %s", (_, events) => {
    expect(bridge(...events)).toBeUndefined();
  });

  it("goes on as it is when a call waits for the user, and others behind it", () => {
    expect(bridge(call("c0"), result("c0"), call("c1"), call("c2"), asked("c1"))).toEqual([]);
  });

  it("goes on without the agent, and the program of it, whose call waits", () => {
    const events = [
      call("c1"),
      call("s1", "c1"),
      call("i1", "s1"),
      call("i2", "s1"),
      asked("i1"),
      asked("i2"),
    ];
    expect(bridge(...events, call("c2"))).toEqual([
      "approval_decided i1",
      "approval_decided i2",
      "tool_result i2",
      "tool_result i1",
      "tool_result s1",
      "tool_result c1",
    ]);
  });

  it("goes on without a program of which one call waits while another one runs", () => {
    const events = [
      call("c1"),
      call("i1", "c1"),
      call("i2", "c1"),
      asked("i2"),
      call("i3", "c1"),
      result("i3"),
    ];
    expect(bridge(...events)).toEqual([
      "approval_decided i2",
      "tool_result i2",
      "tool_result i1",
      "tool_result c1",
    ]);
  });
});
