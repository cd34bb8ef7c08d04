import { z } from "zod";
import { readModelText } from "../model-text.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { readLines } from "./lines.ts";

const MAX_LINES = 2000;

const input = z.object({
  file: z.string().min(1).describe("Path, absolute or from the workspace"),
  start_line: z.int().min(1).optional().describe("First line to read, counted from 1"),
  end_line: z.int().min(1).optional().describe("Last line to read"),
});

export const fileRead: Tool<z.infer<typeof input>> = {
  name: "file_read",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run({ file, start_line: first = 1, end_line }, { sandbox, signal, maxOutputChars }) {
    const last = Math.min(end_line ?? Infinity, first + MAX_LINES - 1);
    if (last < first) return failure("end_line is before start_line.");
    const stat = await sandbox.files.stat(file, { signal });
    const read = await readLines(sandbox.files.readStream(file, { signal }), { first, last, maxOutputChars });
    if (read.isBinary) {
      return failure(`${file} is not text (${stat.sizeBytes} bytes). Read it with execute_python.`);
    }
    if (read.lines.length === 0) {
      return first === 1 ? success("(the file is empty)") : failure(`${file} has ${read.lastLine} lines.`);
    }
    const note = read.hasMore
      ? [`[More lines follow. Go on with start_line=${first + read.lines.length}.]`]
      : [];
    return success([...read.lines.map((line, index) => `${first + index}\t${line}`), ...note].join("\n"));
  },
};

function success(text: string): ToolOutput {
  return { text, isError: false };
}

function failure(text: string): ToolOutput {
  return { text, isError: true };
}
