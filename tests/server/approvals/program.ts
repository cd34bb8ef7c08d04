import { describe, expect, it } from "vitest";
import { answer as say, finish, reply, toolCall } from "../../support/scripted-openai/index.ts";
import { ThreadUser } from "../../support/thread-user.ts";
import { askForShell, type Bench, sendUntilAsked } from "./bench.ts";

const code = `
from tools import execute_shell, file_write, ToolError
print(file_write(file="a.txt", content="from a program"))
for command in ["cat a.txt", "echo never"]:
    try:
        print(execute_shell(command=command))
    except ToolError as error:
        print("refused:", error)
`;

/** The model asks for a program that calls tools. */
export const callProgram = reply(toolCall("execute_code", { code }), finish("tool_calls"));

export function describeProgram(bench: () => Bench, url: () => string): void {
  describe("a program that calls tools", () => {
    it("is asked about call by call, and told what was refused", async () => {
      const { models } = bench();
      models.script(callProgram, say("All done."));
      const user = await ThreadUser.create(url(), askForShell);
      const { stream, approvalId } = await sendUntilAsked(user, "call tools");
      const [outer] = stream.of("tool_call");
      const [asked] = stream.of("approval");
      expect(outer).toMatchObject({ tool: "execute_code" });
      expect(asked).toMatchObject({ tool: "execute_shell", agent: "main", parent_call_id: outer?.call_id });
      await user.client.threads.decide(user.threadId, approvalId, "allow");
      const next = await stream.until("approval", ({ approval_id }) => approval_id !== approvalId);
      await user.client.threads.decide(user.threadId, next.approval_id, "deny", { reason: "no need" });
      const done = await stream.until("done");
      expect(done).toMatchObject({ status: "completed", response: "All done." });

      const calls = stream.of("tool_call");
      expect(calls.map(({ tool }) => tool)).toEqual([
        "execute_code",
        "file_write",
        "execute_shell",
        "execute_shell",
      ]);
      expect(calls.slice(1).every((call) => call.parent_call_id === outer?.call_id)).toBe(true);
      const results = stream.of("tool_result");
      expect(results.map(({ call_id }) => call_id).toSorted()).toEqual(
        calls.map(({ call_id }) => call_id).toSorted(),
      );
      const told = models.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool");
      expect(told).toHaveLength(1);
      expect(told?.[0]?.content).toContain("from a program");
      expect(told?.[0]?.content).toMatch(/refused: .*no need/);

      // The next turn's history has the model's own calls, not the program's.
      models.script(say("Fine."));
      await user.ask("and now?");
      const messages = models.requests.at(-1)?.body.messages ?? [];
      expect(messages.flatMap(({ tool_calls = [] }) => tool_calls)).toHaveLength(1);
    });
  });
}
