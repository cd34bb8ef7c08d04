import { assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { judge, ruleFor } from "./judge.ts";
import type { PermissionRule } from "@atoll/protocol";

const shell = (command: string, agent = "main") => ({ agent, tool: "execute_shell", input: { command } });

describe("permissions", () => {
  it("allows what no rule speaks of", () => {
    expect(judge([], shell("ls"))).toBe("allow");
    expect(judge([{ tool: "git_*", permission: "deny" }], shell("git push"))).toBe("allow");
  });

  it("lets the last rule that fits count", () => {
    const rules: PermissionRule[] = [
      { tool: "*", permission: "ask" },
      { tool: "execute_shell", input: { command: "git *" }, permission: "allow" },
      { tool: "execute_shell", input: { command: "git push*" }, permission: "deny" },
    ];
    expect(judge(rules, shell("ls"))).toBe("ask");
    expect(judge(rules, shell("git status\n"))).toBe("allow");
    expect(judge(rules, shell("git push --force"))).toBe("deny");
    expect(judge(rules.toReversed(), shell("git push"))).toBe("ask");
  });

  it("means a tool by all of its names, with its own names for the arguments", () => {
    const rules: PermissionRule[] = [
      { tool: "shell_exec", permission: "deny" },
      { tool: "read_file", input: { file: "*.pem" }, permission: "deny" },
      { tool: "shell_interactive", input: { action: "write" }, permission: "ask" },
    ];
    expect(judge(rules, shell("ls"))).toBe("deny");
    expect(judge(rules, { agent: "main", tool: "shell_exec", input: {} })).toBe("deny");
    expect(judge(rules, { agent: "main", tool: "file_read", input: { file: "key.pem" } })).toBe("deny");
    expect(judge(rules, { agent: "main", tool: "read_file", input: { path: "key.pem" } })).toBe("deny");
    expect(judge(rules, { agent: "main", tool: "shell_write", input: {} })).toBe("ask");
  });

  it("means by a name that stands for an argument only calls with that argument", () => {
    const rules: PermissionRule[] = [
      { tool: "*", permission: "ask" },
      { tool: "shell_view", permission: "allow" },
    ];
    const interactive = (action: string) => ({ agent: "main", tool: "shell_interactive", input: { action } });
    expect(judge(rules, interactive("view"))).toBe("allow");
    expect(judge(rules, { agent: "main", tool: "shell_view", input: {} })).toBe("allow");
    expect(judge(rules, interactive("write"))).toBe("ask");
  });

  it("denies by a pattern for any name of a tool, and allows by one for its own name only", () => {
    expect(judge([{ tool: "shell_*", permission: "deny" }], shell("ls"))).toBe("deny");
    const allowed: PermissionRule[] = [
      { tool: "*", permission: "ask" },
      { tool: "shell_*", permission: "allow" },
    ];
    expect(judge(allowed, shell("ls"))).toBe("ask");
  });

  it("denies a call with one argument by two names, whatever rules say", () => {
    const call = { agent: "main", tool: "read_file", input: { path: "a", file: "b" } };
    expect(judge([{ tool: "*", permission: "allow" }], call)).toBe("deny");
  });

  it("tells an argument that is empty from one that is not given, where a rule is exact", () => {
    const call = (input: object) => ({ agent: "main", tool: "file_list", input });
    const rules = [ruleFor(call({ path: "" }), "deny")];
    expect(judge(rules, call({ path: "" }))).toBe("deny");
    expect(judge(rules, call({}))).toBe("allow");
    expect(judge(rules, call({ path: undefined }))).toBe("allow");
  });

  it("tells agents apart", () => {
    const rules: PermissionRule[] = [{ agent: "task", tool: "*", permission: "deny" }];
    expect(judge(rules, shell("ls", "task"))).toBe("deny");
    expect(judge(rules, shell("ls"))).toBe("allow");
  });

  it("compares arguments that are no text by their JSON, and one that is not given as empty", () => {
    const call = { agent: "main", tool: "file_list", input: { recursive: true } };
    expect(judge([{ tool: "*", input: { recursive: "true" }, permission: "deny" }], call)).toBe("deny");
    expect(judge([{ tool: "*", input: { path: "" }, permission: "deny" }], call)).toBe("deny");
    expect(judge([{ tool: "*", input: { path: "/*" }, permission: "deny" }], call)).toBe("allow");
    expect(judge([{ tool: "*", input: { x: "" }, permission: "deny" }], { ...call, input: "broken" })).toBe(
      "deny",
    );
  });

  it("remembers a call so that it fits itself, whatever is in it, and nothing else", () => {
    const text = string({ unit: "binary", maxLength: 20 });
    const special = string({ unit: constantFrom("*", "\\", ".", "a", "\n", "-", "]"), maxLength: 6 });
    const command = oneof(text, special);
    assert(
      property(command, command, (one, other) => {
        const rules = [ruleFor(shell(one), "deny")];
        expect(judge(rules, shell(one))).toBe("deny");
        if (one !== other) expect(judge(rules, shell(other))).toBe("allow");
      }),
    );
    const wide = ruleFor(shell("ls"), "deny", "tool");
    expect(judge([wide], shell("other"))).toBe("deny");
    expect(judge([wide], shell("other", "task"))).toBe("allow");
  });
});
