import type { Artifact } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import { runReported } from "./reported-run.ts";
import { listImages, listNotes, renderRun } from "./run-text.ts";
import { timeoutOptions, timeoutSeconds } from "../timeout.ts";

const input = z.strictObject({
  code: z.string().min(1).describe("Python code, as in a notebook cell"),
  timeout_seconds: timeoutSeconds,
});

export const executePython: Tool<z.infer<typeof input>> = {
  name: "execute_python",
  description: readModelText(import.meta.url),
  input,
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
};

function withoutHostPath({ path, sizeBytes, hash, mime, change }: Artifact): Omit<Artifact, "hostPath"> {
  return { path, sizeBytes, hash, mime, change };
}
