import type { Tool } from "./tool.ts";
import { fileDelete } from "./tools/files/file-delete.ts";
import { fileEdit } from "./tools/files/file-edit.ts";
import { fileList } from "./tools/files/file-list.ts";
import { fileRead } from "./tools/files/file-read.ts";
import { fileWrite } from "./tools/files/file-write.ts";
import { grep } from "./tools/search/grep.ts";
import { executePython } from "./tools/python/execute-python.ts";
import { executeShell } from "./tools/shell/execute-shell.ts";

/**
 * What a model is offered by default: the kernel, the shell, and what is safer or shorter than a shell command. The
 * others do what these can do as well, or are for other tasks: each tool more costs a model attention on every call.
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
