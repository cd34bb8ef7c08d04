import { defaultLimits, type Limits } from "../../contract/limits.ts";

const MiB = 1024 * 1024;
const defaultMemoryMiB = 768;
const defaultTimeoutS = 6;
/** A file travels in one piece. */
const maxFileBytes = 100 * MiB;
/** Files, folders and links. */
export const maxFiles = 20_000;

/** Of this driver, as the environment has them: everything is in memory, and it is for light work. */
export function pyodideLimits(): Limits {
  const memoryBytes = numberOf("SANDBOX_AS_MB", defaultMemoryMiB) * MiB || 4096 * MiB;
  return {
    ...defaultLimits,
    memoryBytes,
    timeoutMs: numberOf("SANDBOX_TIMEOUT_S", defaultTimeoutS) * 1000,
    fileSizeBytes: maxFileBytes,
    diskBytes: halfOf(memoryBytes),
    tmpBytes: 64 * MiB,
  };
}

/** What the driver can keep of what was asked for: the rest is shown in `info.limits` as it really is. */
export function boundLimits(limits: Limits): Limits {
  return {
    ...limits,
    fileSizeBytes: Math.min(limits.fileSizeBytes, maxFileBytes),
    diskBytes: Math.min(limits.diskBytes, halfOf(limits.memoryBytes)),
  };
}

/** Of the memory: what files may take, and what data sets may take. */
export function halfOf(memoryBytes: number): number {
  return Math.floor(memoryBytes / 2);
}

function numberOf(name: string, otherwise: number): number {
  const given = Number(process.env[name] || otherwise);
  return Number.isFinite(given) && given >= 0 ? given : otherwise;
}
