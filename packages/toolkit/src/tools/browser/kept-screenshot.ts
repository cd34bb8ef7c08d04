import { createHash } from "node:crypto";
import type { Artifact } from "@atoll/sandbox";
import type { Screenshot } from "../../browser/page/screenshot.ts";
import type { ToolContext } from "../../tool.ts";

/** Puts it among the session's artifacts and tells the user. */
export async function keepScreenshot(
  { bytes, mime }: Screenshot,
  { sandbox, signal, report, callId }: ToolContext,
): Promise<Artifact> {
  const at = new Date().toISOString().replaceAll(/[-:]|\..*/g, "");
  const hash = createHash("sha256").update(bytes).digest("hex");
  const mark = createHash("sha256").update(callId).digest("hex").slice(0, 6);
  const name = `screenshot-${at}-${mark}.${mime === "image/png" ? "png" : "jpg"}`;
  const path = `${sandbox.info.paths.artifacts}/${name}`;
  await sandbox.files.write(path, bytes, { signal });
  const artifact: Artifact = { path, sizeBytes: bytes.length, hash, mime, change: "new" };
  report.artifact(artifact);
  return artifact;
}
