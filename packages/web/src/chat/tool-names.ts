import type { Texts } from "../i18n/en.ts";

/** The one name of a tool, whichever it was called by. */
export function resolveTool(name: string): string {
  return aliases[name] ?? name;
}

/** A tool's title. A tool without one goes by its name in words: `csv_join` is "Csv join". */
export function nameTool(name: string, texts: Texts): string {
  const titles: Readonly<Record<string, string>> = texts.tools;
  const tool = resolveTool(name);
  return (Object.hasOwn(titles, tool) ? titles[tool] : undefined) ?? writeInWords(name);
}

function writeInWords(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || name;
}

const aliases: Readonly<Record<string, string>> = {
  python_exec: "execute_python",
  python_execute: "execute_python",
  execute_python_script: "execute_python",
  code_sandbox: "execute_python",
  javascript_execute: "javascript_exec",
  shell_exec: "execute_shell",
  shell_view: "shell_interactive",
  shell_write: "shell_interactive",
  shell_wait: "shell_interactive",
  shell_kill: "shell_interactive",
  read_file: "file_read",
  write_file: "file_write",
  list_files: "file_list",
  delete_file: "file_delete",
  glob: "file_find",
  screenshot_browser: "browser_screenshot",
};
