import { resolveToolName, toolAliases } from "@atoll/protocol";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findTool } from "./aliases.ts";
import { allTools } from "./all-tools.ts";
import { success } from "./output.ts";
import type { Tool, ToolContext } from "./tool.ts";

const NAMES_OF_SEEDS = [
  ["execute_shell", "execute_python_script", "list_files", "read_file", "write_file", "delete_file"],
  ["make_directory", "browser_tool", "screenshot_browser", "code_sandbox", "execute_python"],
  ["file_read", "file_write", "file_delete", "file_list", "file_search", "shell_exec", "shell_interactive"],
  ["git_clone", "git_commit", "git_push", "git_status", "python_exec", "pip_install", "http_request"],
  [
    "browser_open",
    "env_get",
    "env_set",
    "process_list",
    "file_edit",
    "file_find",
    "shell_view",
    "shell_write",
  ],
  ["shell_wait", "shell_kill", "python_execute", "javascript_execute", "grep", "glob", "workspace_info"],
  ["workspace_health"],
].flat();

describe("a name of a tool", () => {
  it.each(NAMES_OF_SEEDS)("%s leads to a tool", (name) => {
    const tool = findTool(name);
    expect(tool?.name).toBe(name);
    expect(resolveToolName(name)).toBe(toolAliases[name]?.tool ?? name);
    expect(z.toJSONSchema(tool?.input ?? z.never(), { io: "input" }).type).toBe("object");
  });

  it("is not confused with a property that every object has", () => {
    expect(findTool("constructor")).toBeUndefined();
    expect(resolveToolName("toString")).toBe("toString");
  });

  it("that is an alias hides no tool and leads to one", () => {
    for (const [name, { tool }] of Object.entries(toolAliases)) {
      expect(allTools.some((known) => known.name === name)).toBe(false);
      expect(allTools.some((known) => known.name === tool)).toBe(true);
    }
  });
});

describe("a tool under another name", () => {
  const seen: unknown[] = [];
  const tool: Tool<{ file: string; timeout_seconds?: number | undefined }> = {
    name: "file_read",
    description: "",
    input: z.object({ file: z.string(), timeout_seconds: z.number().optional() }),
    isReadOnly: true,
    async run(input) {
      seen.push(input);
      return success("");
    },
  };
  const known = { ...toolAliases["read_file"], tool: "file_read" };

  it("takes the arguments of that name", async () => {
    const alias = findTool("read_file", [tool]);
    expect(known.renames).toEqual({ file: "path" });
    expect(alias?.input.safeParse({ file: "a" }).success).toBe(false);
    await alias?.run(alias.input.parse({ path: "a", timeout_seconds: 3 }), {} as ToolContext);
    expect(seen.at(-1)).toEqual({ file: "a", timeout_seconds: 3 });
  });

  it("stands for a fixed argument, and takes an optional one by either name", async () => {
    const view = findTool("shell_view");
    expect(
      Object.keys(z.toJSONSchema(view?.input ?? z.never(), { io: "input" }).properties ?? {}),
    ).not.toContain("action");
    const exec = findTool("shell_exec");
    for (const given of [{ timeout: 3 }, { timeout_seconds: 3 }])
      expect(exec?.input.safeParse({ command: "ls", ...given }).data).toEqual({ command: "ls", ...given });
  });

  it("refuses an argument that is given by both names", () => {
    const exec = findTool("shell_exec");
    const both = exec?.input.safeParse({ command: "ls", timeout: 3, timeout_seconds: 3 });
    expect(both?.error?.issues[0]?.message).toBe(
      "Give each argument by one name: timeout or timeout_seconds",
    );
    expect(findTool("read_file")?.input.safeParse({ path: "a", file: "b" }).success).toBe(false);
  });
});
