import type { Artifact, RunResult } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import { listImages, listNotes, renderRun } from "./run-text.ts";
import { timeoutOptions, timeoutSeconds } from "../timeout.ts";

const input = z.object({
  code: z.string().min(1).describe("Python code, as in a notebook cell"),
  timeout_seconds: timeoutSeconds,
});

export const executePython: Tool<z.infer<typeof input>> = {
  name: "execute_python",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ code, timeout_seconds }, { sandbox, signal, report }) {
    report.codeStarted({ language: "python", code });
    const run = await sandbox.python.run(code, {
      signal,
      ...timeoutOptions(timeout_seconds),
      onStdout: (text) => report.output("stdout", text),
      onStderr: (text) => report.output("stderr", text),
      onResult: (result) => report.result(result),
    });
    for (const artifact of run.artifacts) report.artifact(artifact);
    const output = renderRun(run);
    report.codeEnded({
      language: "python",
      code,
      output,
      status: run.status,
      exitCode: run.exitCode,
      truncated: isTruncated(run),
      ...(run.error ? { error: run.error } : {}),
      notices: run.notices,
    });
    const images = listImages(run);
    return {
      text: [output || "(no output)", ...listNotes(run)].join("\n"),
      isError: run.status !== "ok",
      data: {
        status: run.status,
        stdout: run.stdout,
        stderr: run.stderr,
        artifacts: run.artifacts.map(withoutHostPath),
        // Where a sandbox is gone after its run, the host's copy is the only one.
        ...(sandbox.info.mode === "ephemeral" ? { artifact_map: run.artifactMap } : {}),
      },
      ...(images.length > 0 ? { images } : {}),
    };
  },
};

function isTruncated({ truncated }: RunResult): boolean {
  return truncated.stdout || truncated.stderr || truncated.results;
}

function withoutHostPath({ path, sizeBytes, hash, mime, change }: Artifact): Omit<Artifact, "hostPath"> {
  return { path, sizeBytes, hash, mime, change };
}
