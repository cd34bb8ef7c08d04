import { describe, expect, it } from "vitest";
import type { Call } from "../../thread/conversation.ts";
import { describeCall, mainArgument } from "./call-text.ts";

describe("a call in words", () => {
  it("summarizes code by its first meaningful line", () => {
    const text = describeCall(
      make("execute_python", { code: "import pandas as pd\n\n# Sales by month\ndf.plot()" }),
    );
    expect(text).toMatchObject({ about: "Sales by month", language: "python" });
  });

  it("finds the language of a tool by any of its names", () => {
    expect(describeCall(make("shell_exec", { command: "ls" })).language).toBe("bash");
    expect(describeCall(make("javascript_execute", { code: "1" })).language).toBe("javascript");
  });

  it("names the files of a patch", () => {
    const patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch";
    expect(describeCall(make("apply_patch", { patch }))).toMatchObject({
      about: "a.py, b.py",
      language: "diff",
    });
  });

  it("shows an edit as a diff", () => {
    const text = describeCall(
      make("file_edit", { file: "a.py", old_str: "x = 1\ny = 2", new_str: "x = 1\ny = 3" }),
    );
    expect(text).toEqual({ about: "a.py", code: " x = 1\n-y = 2\n+y = 3", language: "diff" });
  });

  it("summarizes the best argument and shows all of them", () => {
    const text = describeCall(make("grep", { pattern: "TODO", path: "src" }));
    expect(text.about).toBe("src");
    expect(JSON.parse(text.code)).toEqual({ pattern: "TODO", path: "src" });
    expect(describeCall(make("git_status", {})).about).toBe("");
  });

  it("shows the arguments that the user edited", () => {
    const asked = {
      type: "approval",
      approval_id: "a",
      call_id: "c",
      tool: "execute_shell",
      input: {},
    } as const;
    const decided = {
      type: "approval_decided",
      approval_id: "a",
      call_id: "c",
      decision: "allow",
      input: { command: "ls -l" },
    } as const;
    const call = { ...make("execute_shell", { command: "rm x" }), approval: { asked, decided } };
    expect(describeCall(call).code).toBe("ls -l");
  });
});

describe("mainArgument", () => {
  it("finds the argument that a user would edit", () => {
    expect(mainArgument({ command: "ls", timeout_seconds: 3 })).toEqual({ name: "command", text: "ls" });
    expect(mainArgument({ url: "https://example.com" })).toBeUndefined();
    expect(mainArgument("text")).toBeUndefined();
  });
});

function make(tool: string, input: unknown): Call {
  return {
    kind: "call",
    id: "c",
    tool,
    input,
    at: "2026-01-01T00:00:00Z",
    calls: [],
    output: [],
    results: [],
    artifacts: [],
    refusals: [],
  };
}
