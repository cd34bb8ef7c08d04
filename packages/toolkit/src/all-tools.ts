import { sandboxTools } from "./sandbox-tools.ts";
import type { Tool } from "./tool.ts";
import { task } from "./tools/agent/task.ts";
import { todoRead } from "./tools/agent/todo-read.ts";
import { todoWrite } from "./tools/agent/todo-write.ts";
import { executeCode } from "./tools/code/execute-code.ts";
import { exportDatasets } from "./tools/datasets/export-datasets.ts";
import { listDatasets } from "./tools/datasets/list-datasets.ts";
import { selectDataset } from "./tools/datasets/select-dataset.ts";
import { fileFind } from "./tools/search/file-find.ts";
import { fileSearch } from "./tools/search/file-search.ts";
import { makeDirectory } from "./tools/files/make-directory.ts";
import { move } from "./tools/files/move.ts";
import { gitClone } from "./tools/git/git-clone.ts";
import { gitCommit } from "./tools/git/git-commit.ts";
import { gitDiff } from "./tools/git/git-diff.ts";
import { gitLog } from "./tools/git/git-log.ts";
import { gitPush } from "./tools/git/git-push.ts";
import { gitStatus } from "./tools/git/git-status.ts";
import { mcpExecute } from "./tools/mcp/mcp-execute.ts";
import { mcpListServers } from "./tools/mcp/mcp-list-servers.ts";
import { mcpListTools } from "./tools/mcp/mcp-list-tools.ts";
import { applyPatch } from "./tools/patch/apply-patch.ts";
import { cpythonPython } from "./tools/python/cpython-python.ts";
import { javascriptExec } from "./tools/python/javascript-exec.ts";
import { pipInstall } from "./tools/python/pip-install.ts";
import { sandboxedPython } from "./tools/python/sandboxed-python.ts";
import { processKill } from "./tools/shell/process-kill.ts";
import { processList } from "./tools/shell/process-list.ts";
import { shellInteractive } from "./tools/shell/shell-interactive.ts";
import { envGet } from "./tools/system/env-get.ts";
import { envSet } from "./tools/system/env-set.ts";
import { previewUrl } from "./tools/system/preview-url.ts";
import { workspaceHealth } from "./tools/system/workspace-health.ts";
import { workspaceInfo } from "./tools/system/workspace-info.ts";
import { browserAction } from "./tools/browser/browser-action.ts";
import { browserClick } from "./tools/browser/browser-click.ts";
import { browserOpen } from "./tools/browser/browser-open.ts";
import { browserScreenshot } from "./tools/browser/browser-screenshot.ts";
import { browserSnapshot } from "./tools/browser/browser-snapshot.ts";
import { browserTool } from "./tools/browser/browser-tool.ts";
import { browserType } from "./tools/browser/browser-type.ts";
import { httpRequest } from "./tools/http/http-request.ts";

/** Every tool once. A caller offers the ones that its model needs. */
export const allTools: readonly Tool[] = [
  ...sandboxTools,
  sandboxedPython,
  cpythonPython,
  fileFind,
  fileSearch,
  makeDirectory,
  move,
  applyPatch,
  shellInteractive,
  processList,
  processKill,
  javascriptExec,
  pipInstall,
  gitStatus,
  gitDiff,
  gitCommit,
  gitLog,
  gitClone,
  gitPush,
  httpRequest,
  browserOpen,
  browserSnapshot,
  browserClick,
  browserType,
  browserAction,
  browserScreenshot,
  browserTool,
  envGet,
  envSet,
  workspaceInfo,
  workspaceHealth,
  previewUrl,
  listDatasets,
  selectDataset,
  exportDatasets,
  todoWrite,
  todoRead,
  task,
  executeCode,
  mcpListServers,
  mcpListTools,
  mcpExecute,
];
