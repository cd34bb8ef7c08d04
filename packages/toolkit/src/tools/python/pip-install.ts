import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import type { ToolContext } from "../../tool.ts";
import { networkHint, joinStreams, runProgram } from "../program.ts";

const TIMEOUT_MS = 600_000;

const requirement = z
  .string()
  .min(1)
  .regex(/^[^-\s]/, "a package's name or a path, not an option");

const input = z.strictObject({
  packages: z
    .array(requirement)
    .min(1)
    .describe('e.g. ["pypdf", "polars>=1"], or the path of a wheel in the workspace'),
  upgrade: z.boolean().optional(),
});

export const pipInstall = defineTool(import.meta.url, {
  name: "pip_install",
  input,
  isReadOnly: false,
  async run({ packages, upgrade = false }, context) {
    const flags = ["--no-input", "--no-warn-script-location", "--retries", "1"];
    const args = [...flags, ...(upgrade ? ["--upgrade"] : []), "--", ...packages];
    // Where to is in the sandbox's environment: a folder of the workspace, so that it stays with the thread.
    const result = await runProgram(context, ["python3", "-m", "pip", "install", ...args], {
      timeoutMs: TIMEOUT_MS,
    });
    const output = joinStreams(result);
    if (result.exitCode !== 0)
      return failure(`${output}\n[Exit code ${result.exitCode}]${networkHint(output)}`);
    await announce(context);
    return success(output);
  },
});

/** A living kernel has looked for the folder when it was not there yet. */
async function announce({ sandbox, signal }: ToolContext): Promise<void> {
  const contexts = await sandbox.python.contexts({ signal });
  for (const { name } of contexts.filter(({ isBusy }) => !isBusy)) {
    await sandbox.python.run("__import__('importlib').invalidate_caches()", { context: name, signal });
  }
}
