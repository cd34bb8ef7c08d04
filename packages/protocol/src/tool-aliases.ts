/** Another name under which people know a tool, with the arguments that it has there. */
export interface ToolAlias {
  readonly tool: string;
  /** The tool's name of an argument → its name under the alias. An optional argument can be given by either. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Arguments that the alias fixes. */
  readonly fixed?: Readonly<Record<string, string>>;
}

export const toolAliases: Readonly<Record<string, ToolAlias>> = {
  python_exec: { tool: "execute_python", renames: { timeout_seconds: "timeout" } },
  python_execute: { tool: "execute_python", renames: { timeout_seconds: "timeout" } },
  execute_python_script: { tool: "execute_python" },
  code_sandbox: { tool: "execute_python" },
  javascript_execute: { tool: "javascript_exec", renames: { timeout_seconds: "timeout" } },
  shell_exec: { tool: "execute_shell", renames: { timeout_seconds: "timeout" } },
  shell_view: { tool: "shell_interactive", fixed: { action: "view" } },
  shell_write: { tool: "shell_interactive", fixed: { action: "write" } },
  shell_wait: { tool: "shell_interactive", fixed: { action: "wait" } },
  shell_kill: { tool: "shell_interactive", fixed: { action: "kill" } },
  read_file: { tool: "file_read", renames: { file: "path" } },
  write_file: { tool: "file_write", renames: { file: "path" } },
  list_files: { tool: "file_list" },
  delete_file: { tool: "file_delete" },
  glob: { tool: "file_find", renames: { glob: "pattern" } },
  screenshot_browser: { tool: "browser_screenshot" },
};

export function findToolAlias(name: string): ToolAlias | undefined {
  return Object.hasOwn(toolAliases, name) ? toolAliases[name] : undefined;
}

/** The tool's own name. Rules and the page treat a call alike, whichever name it came by. */
export function resolveToolName(name: string): string {
  return findToolAlias(name)?.tool ?? name;
}
