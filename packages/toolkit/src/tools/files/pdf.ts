import { readFileSync } from "node:fs";
import type { ToolContext } from "../../tool.ts";
import { runProgram } from "../program.ts";

const EXIT_NO_READER = 3;
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** The text of a PDF, a line for each page's beginning; undefined where the sandbox has nothing that can read it. */
export async function readPdf(path: string, context: ToolContext): Promise<string | undefined> {
  if (!context.sandbox.info.capabilities.shell) return undefined;
  program ??= readFileSync(new URL("pdf_text.py", import.meta.url), "utf8");
  const options = { maxOutputBytes: MAX_TEXT_BYTES, timeoutMs: 60_000 };
  const { status, exitCode, stdout } = await runProgram(context, ["python3", "-c", program, path], options);
  return status === "ok" && exitCode !== EXIT_NO_READER ? stdout : undefined;
}

let program: string | undefined;
