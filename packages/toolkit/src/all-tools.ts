import type { Tool } from "./tool.ts";
import { task } from "./tools/agent/task.ts";
import { todoRead, todoWrite } from "./tools/agent/todos.ts";
import { browserAction } from "./tools/browser/browser-action.ts";
import { browserClick } from "./tools/browser/browser-click.ts";
import { browserOpen } from "./tools/browser/browser-open.ts";
import { browserScreenshot } from "./tools/browser/browser-screenshot.ts";
import { browserSnapshot } from "./tools/browser/browser-snapshot.ts";
import { browserTool } from "./tools/browser/browser-tool.ts";
import { browserType } from "./tools/browser/browser-type.ts";
import { executeCode } from "./tools/code/execute-code.ts";
import { exportDatasets } from "./tools/datasets/export-datasets.ts";
import { listDatasets } from "./tools/datasets/list-datasets.ts";
import { selectDataset } from "./tools/datasets/select-dataset.ts";
import { fileDelete } from "./tools/files/file-delete.ts";
import { fileEdit } from "./tools/files/file-edit.ts";
import { fileList } from "./tools/files/file-list.ts";
import { fileRead } from "./tools/files/file-read.ts";
import { fileWrite } from "./tools/files/file-write.ts";
import { makeDirectory } from "./tools/files/make-directory.ts";
import { move } from "./tools/files/move.ts";
import { gitClone } from "./tools/git/git-clone.ts";
import { gitCommit } from "./tools/git/git-commit.ts";
import { gitDiff } from "./tools/git/git-diff.ts";
import { gitLog } from "./tools/git/git-log.ts";
import { gitPush } from "./tools/git/git-push.ts";
import { gitStatus } from "./tools/git/git-status.ts";
import { httpRequest } from "./tools/http/http-request.ts";
import { mcpExecute, mcpListServers, mcpListTools } from "./tools/mcp/mcp.ts";
import { applyPatch } from "./tools/patch/apply-patch.ts";
import { cpythonPython, sandboxedPython } from "./tools/python/chosen-python.ts";
import { executePython } from "./tools/python/execute-python.ts";
import { javascriptExec } from "./tools/python/javascript-exec.ts";
import { pipInstall } from "./tools/python/pip-install.ts";
import { fileFind } from "./tools/search/file-find.ts";
import { fileSearch } from "./tools/search/file-search.ts";
import { grep } from "./tools/search/grep.ts";
import { executeShell } from "./tools/shell/execute-shell.ts";
import { processKill, processList } from "./tools/shell/processes.ts";
import { shellInteractive } from "./tools/shell/shell-interactive.ts";
import { envGet, envSet } from "./tools/system/env.ts";
import { previewUrl } from "./tools/system/preview-url.ts";
import { workspaceHealth, workspaceInfo } from "./tools/system/workspace.ts";

/**
 * What a model is offered by default: the kernel, the shell, and what is safer or shorter than a shell command. Every
 * further tool costs the model attention on each call.
 */
export const sandboxTools: readonly Tool[] = [
  executePython,
  executeShell,
  fileRead,
  fileWrite,
  fileEdit,
  fileList,
  fileDelete,
  grep,
];

/** Every tool once: register a new one here. A caller offers the ones that its model needs. */
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
