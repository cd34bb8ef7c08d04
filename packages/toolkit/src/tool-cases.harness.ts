import { allTools } from "./all-tools.ts";
import { refuseAborted } from "./mcp/client/servers.ts";
import { success } from "./output.ts";
import type { ToolContext } from "./tool.ts";

/** One call that works, with what it says, and one whose arguments do not fit. */
export interface ToolCase {
  readonly good: object;
  readonly says: RegExp;
  readonly bad: object;
  /** For the shell, before it. */
  readonly prepare?: string;
}

const repo = "表/repo";
const forecast = { name: "forecast", description: "预报", inputSchema: { type: "object" } };
/** What a session adds to the context. */
export const caseContext: Partial<ToolContext> = {
  calls: { tools: allTools, call: async () => success("called") },
  agents: { run: async ({ task }) => ({ text: `done: ${task}`, isError: false, steps: 2 }) },
  previewUrl: async (port) => `http://${port}-x.localhost/`,
  mcp: {
    list: async ({ signal }) => (refuseAborted(signal), [{ name: "天气", state: "idle" }]),
    tools: async (_, { signal }) => (refuseAborted(signal), [forecast]),
    execute: async (_, tool, { city }, { signal }) => (
      refuseAborted(signal),
      success(`${tool} ${String(city)}`)
    ),
  },
};

/** The datasets of the sandbox that the cases run in. */
export const caseFiles = { "sales 表.csv": "日期;金额\n2026-01-02;3,5\n2026-02-03;4,5\n" };

/** In this order: a later one may stand on an earlier one. */
export const toolCases: Record<string, ToolCase> = {
  execute_python: { good: { code: "print('数据', 6 * 7)" }, says: /^数据 42$/, bad: { code: "" } },
  sandboxed_python: {
    good: { code: "print('数据', 6 * 7)" },
    says: /^\{"status":"ok","exit_code":0,"timed_out":false,"stdout":"数据 42\\n"/,
    bad: { code: "" },
  },
  cpython_python: {
    good: { code: "import sys; print('数据', file=sys.stderr)" },
    says: /^\{"status":"warning","exit_code":0[^]*"stderr":"数据\\n"[^]*"images":\[\]/,
    bad: { code: 1 },
  },
  execute_shell: { good: { command: "echo 你好" }, says: /^你好$/, bad: { command: 1 } },
  javascript_exec: { good: { code: "console.log('你好', [1, 2].length)" }, says: /^你好 2$/, bad: {} },
  make_directory: { good: { path: "表/深" }, says: /\/workspace\/表\/深/, bad: { path: "" } },
  file_write: { good: { file: "表/a.txt", content: "一行\n二行\n" }, says: /14 bytes/, bad: { file: "x" } },
  file_read: { good: { file: "表/a.txt" }, says: /^1\t一行\n2\t二行$/, bad: { file: "x", start_line: 0 } },
  file_edit: {
    good: { file: "表/a.txt", old_str: "二行", new_str: "第二行" },
    says: /Replaced 1/,
    bad: { file: "x", old_str: "", new_str: "" },
  },
  file_list: { good: { path: "表" }, says: /a\.txt \(17 bytes\)/, bad: { recursive: "yes" } },
  file_find: { good: { glob: "**/*.txt" }, says: /\/workspace\/表\/a\.txt/, bad: { glob: 3 } },
  file_search: { good: { query: "第二行" }, says: /a\.txt:2:第二行/, bad: { query: "a", regex: "b" } },
  grep: { good: { pattern: "^第.行" }, says: /a\.txt:2:/, bad: { pattern: "x", context: 99 } },
  move: { good: { path: "表/a.txt", new_path: "表/b.txt" }, says: /b\.txt/, bad: { path: "a" } },
  apply_patch: {
    good: { patch: "--- a/表/b.txt\n+++ b/表/b.txt\n@@ -1 +1 @@\n-一行\n+首行\n" },
    says: /changed \/workspace\/表\/b\.txt/,
    bad: { patch: "" },
  },
  file_delete: { good: { path: "表/b.txt" }, says: /Deleted/, bad: {} },
  shell_interactive: {
    good: { action: "start", command: "echo 终端; exec cat", until: "终端" },
    says: /终端[^]*is running/,
    bad: { action: "dance" },
  },
  process_list: { good: {}, says: /pid parent[^]*atoll-kernel/, bad: [] },
  process_kill: { good: { pid: 4_000_000 }, says: /SIGKILL/, bad: { pid: 0 } },
  pip_install: {
    good: { packages: ["pandas"] },
    says: /already satisfied/i,
    bad: { packages: ["--index-url=x"] },
  },
  env_set: { good: { name: "GREETING", value: "你好" }, says: /is set/, bad: { name: "a-b", value: "x" } },
  env_get: { good: { name: "GREETING" }, says: /^你好$/, bad: { name: 1 } },
  workspace_info: { good: {}, says: /Folder workspace: \/workspace[^]*python3: Python 3/, bad: [] },
  workspace_health: { good: {}, says: /is well[^]*Kernel: answers/, bad: [] },
  preview_url: { good: { port: 8000 }, says: /8000-x[^]*Nothing listens/, bad: { port: 70_000 } },
  list_datasets: { good: {}, says: /^sales 表\.csv \(csv, \d+ bytes\)$/m, bad: [] },
  select_dataset: {
    good: { name: "sales 表.csv" },
    says: /df: .*2 rows[^]*'日期': datetime64/,
    bad: { name: "" },
  },
  export_datasets: {
    good: { format: "xlsx" },
    says: /\/data\/outputs\/df\.xlsx: 2 rows/,
    bad: { format: "doc" },
  },
  todo_write: {
    good: { todos: [{ content: "写报告", status: "in_progress" }] },
    says: /1\. \[~\] 写报告/,
    bad: { todos: [{ content: "x", status: "soon" }] },
  },
  todo_read: { good: {}, says: /写报告/, bad: [] },
  git_clone: {
    prepare: `git init -q --bare -b main bare.git && git init -q -b main seed && cd seed && git -c user.name=A -c user.email=a@b commit -q --allow-empty -m first && git push -q ../bare.git main`,
    good: { url: "bare.git", path: repo },
    says: /Cloning|Cloned/,
    bad: { url: "x", branch: "-x" },
  },
  git_status: {
    prepare: `echo 内容 > ${repo}/新.txt`,
    good: { path: repo },
    says: /## .*\n\?\? 新\.txt/,
    bad: { path: 1 },
  },
  git_commit: { good: { path: repo, message: "添加 -m 文件" }, says: /添加 -m 文件/, bad: { message: "" } },
  git_diff: { good: { path: repo, revision: "HEAD~1" }, says: /\+内容/, bad: { revision: "--output=x" } },
  git_log: { good: { path: repo }, says: /Atoll: 添加 -m 文件\n.*first/, bad: { max_count: 0 } },
  git_push: { good: { path: repo }, says: /main/, bad: { remote: "--mirror" } },
  task: {
    good: { description: "数", prompt: "数一数" },
    says: /^done: 数一数$/,
    bad: { description: "x", prompt: " " },
  },
  http_request: {
    prepare: `mkdir -p 站 && echo '{"城": ["北京"]}' > 站/a.json && cd 站 && (setsid python3 -m http.server 8761 >/dev/null 2>&1 & until python3 -c "import socket; socket.create_connection(('127.0.0.1', 8761))" 2>/dev/null; do :; done)`,
    good: { url: "http://localhost:8761/a.json" },
    says: /^HTTP 200 OK\n[^]*"城": \[\n    "北京"/,
    bad: { url: "file:///etc/passwd" },
  },
  browser_open: {
    good: { url: `data:text/html;charset=utf-8,<title>页</title><button>按</button><input aria-label="名">` },
    says: /Title: 页\nSnapshot:\n[^]*button "按" \[ref=e\d+\]/,
    bad: { url: 5 },
  },
  browser_snapshot: { good: {}, says: /textbox "名" \[ref=e3\]/, bad: { offset: -1 } },
  browser_click: { good: { ref: "e2" }, says: /^Clicked e2\.\nPage: data:/, bad: { ref: "" } },
  browser_type: { good: { ref: "e3", text: "北京" }, says: /textbox "名"[^]*: 北京/, bad: { ref: "e3" } },
  browser_action: {
    good: { action: "evaluate", script: "document.title" },
    says: /^Value: "页"/,
    bad: { action: "dance" },
  },
  browser_screenshot: {
    good: {},
    says: /^Screenshot saved as \/session\/artifacts\/screenshot-\S+\.png \(image\/png, \d+ bytes\)\.$/,
    bad: { full_page: "yes" },
  },
  browser_tool: { good: { task: "看" }, says: /^done: 看\n/, bad: { task: "" } },
  execute_code: {
    good: { code: "from tools import grep\nprint(grep(pattern='x'))" },
    says: /^called$/,
    bad: { code: 5 },
  },
  mcp_list_servers: { good: {}, says: /^天气$/, bad: [] },
  mcp_list_tools: { good: { server: "天气" }, says: /^forecast\n预报\narguments: /, bad: { server: "" } },
  mcp_execute: {
    good: { server: "天气", tool: "forecast", arguments: { city: "北京" } },
    says: /^forecast 北京$/,
    bad: { server: "天气", tool: "forecast", arguments: "北京" },
  },
};
