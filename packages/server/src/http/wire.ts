import type {
  Artifact,
  FileStat,
  Limits,
  Metrics,
  NetworkPolicy,
  RunResult,
  SandboxInfo,
  SandboxState,
} from "@atoll/sandbox";
import type { z } from "zod";
import type {
  fileSchema,
  limitsSchema,
  metricsSchema,
  networkSchema,
  pythonResultSchema,
  sandboxSchema,
  uploadedFileSchema,
} from "@atoll/protocol";
import { toWireOutput } from "@atoll/protocol/schemas";
import type { UploadRecord } from "../store/contract.ts";

/** The platform's objects as the wire names them. No path of the host passes here. */
export function toWireUpload(upload: UploadRecord): z.infer<typeof uploadedFileSchema> {
  const { fileId, name, sizeBytes, sha256, createdAt } = upload;
  return { file_id: fileId, filename: name, size_bytes: sizeBytes, sha256, created_at: createdAt };
}

export function toWireFile(file: FileStat): z.infer<typeof fileSchema> {
  const { path, name, kind, sizeBytes, mode, modifiedAt, linkTarget, problem } = file;
  return {
    path,
    name,
    kind,
    size_bytes: sizeBytes,
    mode,
    modified_at: modifiedAt,
    etag: etagOf(file),
    link_target: linkTarget,
    problem,
  };
}

export function etagOf({ modifiedAt, sizeBytes }: FileStat): string {
  return `"${Date.parse(modifiedAt).toString(36)}-${sizeBytes.toString(36)}"`;
}

export function toWireMetrics(metrics: Metrics): z.infer<typeof metricsSchema> {
  return toSnakeCase({ ...metrics }) as z.infer<typeof metricsSchema>;
}

export function toWireSandbox(
  id: string,
  info: SandboxInfo,
  state: SandboxState,
): z.infer<typeof sandboxSchema> {
  const { "atoll.owner": _, ...labels } = info.labels;
  return {
    sandbox_id: id,
    state,
    runtime: info.driver,
    mode: info.mode,
    created_at: info.createdAt,
    labels,
    limits: toSnakeCase({ ...info.limits }) as Record<string, number>,
    paths: { ...info.paths },
    network: toWireNetwork(info.network),
  };
}

export function toWireNetwork(policy: NetworkPolicy = "none"): z.infer<typeof networkSchema> {
  return typeof policy === "string" ? policy : { allow: [...policy.allow] };
}

export function toWireRun(run: RunResult): z.infer<typeof pythonResultSchema> {
  return {
    run_id: run.runId,
    status: run.status,
    exit_code: run.exitCode,
    stdout: run.stdout,
    stderr: run.stderr,
    truncated: run.truncated,
    results: run.results.map(toWireOutput),
    error: run.error,
    artifacts: run.artifacts.map(toWireArtifact),
    duration_ms: run.durationMs,
    kernel_restarted: run.kernelRestarted,
    notices: [...run.notices],
  };
}

export function toLimits(limits: z.infer<typeof limitsSchema>): Partial<Limits> {
  const camel = Object.entries(limits).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(camel) as Partial<Limits>;
}

function toWireArtifact({ path, sizeBytes, hash, mime, change }: Artifact) {
  return { path, size_bytes: sizeBytes, hash, mime, change };
}

export function toSnakeCase(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
