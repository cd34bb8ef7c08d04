import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@atoll/sandbox";

/** Runs code and gives the text of its last value. A bench of failing code would measure nothing. */
export async function evaluate(sandbox: Sandbox, code: string): Promise<string> {
  const { status, results, error } = await sandbox.python.run(code);
  if (status !== "ok")
    throw new Error(`a run in the sandbox ended as ${status}: ${error?.traceback ?? "no traceback"}`);
  return results.at(-1)?.text ?? "";
}

/** The interpreter that the set-up made: the sandboxes' own, or the one with ipykernel beside which it is measured. */
export async function findSetUpPython(name: "python" | "python-bench"): Promise<string | undefined> {
  try {
    const file = join(import.meta.dirname, "../.atoll", `${name}.json`);
    return (JSON.parse(await readFile(file, "utf8")) as { python: string }).python;
  } catch {
    return undefined;
  }
}
