import type { Artifact } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { runStatus, timeoutOptions, timeoutSeconds } from "../code-run.ts";
import { runReported } from "./reported-run.ts";
import { listImages, listNotes, renderRun } from "./run-text.ts";

const input = z.strictObject({
  code: z.string().min(1).describe("Python code, as in a notebook cell"),
  timeout_seconds: timeoutSeconds,
});

export const executePython = defineTool(import.meta.url, {
  name: "execute_python",
  input,
  output: z.object({ status: runStatus, stdout: z.string(), stderr: z.string() }),
  isReadOnly: false,
  async run({ code, timeout_seconds }, context) {
    const run = await runReported(code, timeoutOptions(timeout_seconds), context);
    const output = renderRun(run);
    const images = listImages(run);
    return {
      text: [output || "(no output)", ...listNotes(run)].join("\n"),
      isError: run.status !== "ok",
      data: {
        status: run.status,
        stdout: run.stdout,
        stderr: run.stderr,
        artifacts: run.artifacts.map(withoutHostPath),
        place: run.place,
        // Where a sandbox is gone after its run, the host's copy is the only one.
        ...(context.sandbox.info.mode === "ephemeral" ? { artifact_map: run.artifactMap } : {}),
      },
      ...(images.length > 0 ? { images } : {}),
    };
  },
});

function withoutHostPath({ path, sizeBytes, hash, mime, change }: Artifact): Omit<Artifact, "hostPath"> {
  return { path, sizeBytes, hash, mime, change };
}
