import type { Tool } from "./tool.ts";
import { executePython } from "./tools/execute-python.ts";
import { executeShell } from "./tools/execute-shell.ts";
import { fileDelete } from "./tools/file-delete.ts";
import { fileEdit } from "./tools/file-edit.ts";
import { fileList } from "./tools/file-list.ts";
import { fileRead } from "./tools/file-read.ts";
import { fileWrite } from "./tools/file-write.ts";
import { grep } from "./tools/grep.ts";

/** The tools that need nothing but a sandbox. */
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
