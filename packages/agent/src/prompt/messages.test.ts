import { describe, expect, it } from "vitest";
import type { Turn, TurnPart } from "../history.ts";
import { writeHistory } from "./messages.ts";

const call = (callId: string, output?: string): TurnPart => ({
  kind: "call",
  callId,
  tool: "execute_python",
  input: { code: callId },
  isError: false,
  output,
});
const text = (words: string): TurnPart => ({ kind: "text", text: words });
const turn = (parts: readonly TurnPart[], status: Turn["status"] = "completed"): Turn => ({
  user: "ask",
  status,
  parts,
});

/** Role and content of each message in one line. */
function outline(turns: readonly Turn[]): string[] {
  return writeHistory(turns).map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const parts = content.map((part) => {
      if (part.type === "text") return part.text;
      if (part.type === "tool-call") return `call ${part.toolCallId}`;
      return part.type === "tool-result" && "value" in part.output
        ? `${part.toolCallId}=${String(part.output.value)}`
        : "?";
    });
    return `${role}: ${parts.join(" | ")}`;
  });
}

describe("the history for a model", () => {
  it("has what the user ran as the user's words, with its output", () => {
    const ran: Turn = { ...turn([call("a", "42")]), user: "6 * 7", isCode: true };
    const cut: Turn = { ...turn([call("b")], "interrupted"), user: "x", isCode: true };
    expect(outline([ran, cut])).toEqual([
      "user: [The user ran this code]\n6 * 7\n[Its output]\n42",
      "assistant: [seen]",
      "user: [The user ran this code]\nx\n[Its output]\n[interrupted before it had a result]",
      "assistant: [seen]",
    ]);
  });

  it("puts calls with the text before them, and results right after", () => {
    const parts = [
      text("Let me see."),
      call("a", "1"),
      call("b", "2"),
      text("\n\nIt is 3."),
      call("c", "4"),
      text("Done."),
    ];
    expect(outline([turn(parts)])).toEqual([
      "user: ask",
      "assistant: Let me see. | call a | call b",
      "tool: a=1 | b=2",
      "assistant: It is 3. | call c",
      "tool: c=4",
      "assistant: Done.",
    ]);
  });

  it("gives a call that was cut off a result that says so", () => {
    expect(outline([turn([text("Hm."), call("a")], "stopped")])).toEqual([
      "user: ask",
      "assistant: Hm. | call a",
      "tool: a=[interrupted before it had a result]",
      "assistant: [The user stopped this answer.]",
    ]);
  });

  it("leaves no turn without an answer and no text empty", () => {
    expect(outline([turn([], "failed"), turn([text(" \n")]), turn([text("So far")], "interrupted")])).toEqual(
      [
        "user: ask",
        "assistant: [This answer failed before it was complete.]",
        "user: ask",
        "assistant: [no answer]",
        "user: ask",
        "assistant: So far\n[This answer was cut off by a restart of the server.]",
      ],
    );
  });

  it("has messages of the user in mid-run where they came", () => {
    const parts = [call("a", "1"), { kind: "steering" as const, text: "only March" }, text("March.")];
    expect(outline([turn(parts)])).toEqual([
      "user: ask",
      "assistant: call a",
      "tool: a=1",
      "user: only March",
      "assistant: March.",
    ]);
  });

  it("makes ids and arguments acceptable to every provider", () => {
    const odd: TurnPart = {
      kind: "call",
      callId: "call:1/ü",
      tool: "t",
      input: '{"code',
      isError: true,
      output: "bad",
    };
    expect(writeHistory([turn([odd, text("x")])])[1]).toEqual({
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "call1", toolName: "t", input: { malformed_arguments: '{"code' } },
      ],
    });
  });
});
