import { readFileSync } from "node:fs";
import type { RunResult } from "@atoll/sandbox";
import { z } from "zod";
import type { ToolContext } from "../../tool.ts";

/**
 * Runs one of the Python files of this folder in the thread's kernel. It gets `REQUEST` and the user's variables as
 * `VARIABLES`, and leaves no names of its own among these.
 */
export async function runCell(
  file: string,
  request: unknown,
  { sandbox, signal }: ToolContext,
): Promise<RunResult> {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  // Every JSON text is also one of Python's string literals.
  const literals = [source, JSON.stringify(request)].map((text) => JSON.stringify(text));
  const code = `(lambda json, source, request: exec(source, {"REQUEST": json.loads(request), "VARIABLES": globals()}))(__import__("json"), ${literals.join(", ")})`;
  return sandbox.python.run(code, { signal });
}

/** Why it failed, without the lines of our program. */
export function describeRunFailure(run: RunResult): string {
  if (run.status === "timeout") return "It took too long.";
  if (run.error) return `${run.error.name}: ${run.error.value}`;
  return ["The kernel was ended.", ...run.notices].join(" ");
}

/** Of Python. Letters of any script are allowed there too. */
export const variableName = z
  .string()
  .max(100)
  .regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, "a Python name");
