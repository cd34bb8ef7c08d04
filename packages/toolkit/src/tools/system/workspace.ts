import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import type { ToolContext } from "../../tool.ts";

const KERNEL_TIMEOUT_MS = 10_000;
const NEARLY_FULL = 0.9;

const PRINT_VERSIONS = `
for program in "python3 --version" "node --version" "git --version" "bash --version"; do
  printf '%s\\t%s\\n' "\${program%% *}" "$(timeout 5 $program 2>/dev/null | head -n 1)"
done`;

export const workspaceInfo = defineTool(import.meta.url, {
  name: "workspace_info",
  input: z.strictObject({}),
  isReadOnly: true,
  async run(_, context) {
    const { sandbox, signal } = context;
    const { driver, mode, paths, limits, capabilities } = sandbox.info;
    const metrics = await sandbox.metrics({ signal });
    const versions = await readVersions(context);
    const freeBytes = Math.max(0, metrics.diskLimitBytes - metrics.diskBytes);
    const data = { driver, mode, paths, limits, capabilities, versions, free_disk_bytes: freeBytes };
    const lines = [
      `Runtime: ${driver} (${mode})`,
      ...Object.entries(paths).map(([name, path]) => `Folder ${name}: ${path}`),
      `Disk: ${toMiB(freeBytes)} free of ${toMiB(metrics.diskLimitBytes)}`,
      `Limits: ${limits.cpus} cores, ${toMiB(limits.memoryBytes)} memory, ${limits.processes} processes, ${limits.timeoutMs / 1000} s a call`,
      ...Object.entries(versions).map(([program, version]) => `${program}: ${version ?? "not there"}`),
    ];
    return success(lines.join("\n"), { data });
  },
});

export const workspaceHealth = defineTool(import.meta.url, {
  name: "workspace_health",
  input: z.strictObject({}),
  isReadOnly: true,
  async run(_, context) {
    const { sandbox, signal } = context;
    const kernel = await tryKernel(context);
    const metrics = await sandbox.metrics({ signal });
    const uses = [
      { name: "disk", used: metrics.diskBytes, limit: metrics.diskLimitBytes, show: toMiB },
      { name: "memory", used: metrics.memoryBytes, limit: metrics.memoryLimitBytes, show: toMiB },
      { name: "processes", used: metrics.processes, limit: sandbox.info.limits.processes, show: String },
    ].map((use) => ({ ...use, isLow: use.limit > 0 && use.used > use.limit * NEARLY_FULL }));
    const isHealthy = kernel !== "dead" && uses.every(({ isLow }) => !isLow);
    return {
      text: [
        isHealthy ? "The sandbox is well." : "The sandbox is not well.",
        `Kernel: ${KERNEL_STATES[kernel]}`,
        ...uses.map(
          ({ name, used, limit, show, isLow }) =>
            `${name}: ${show(used)} of ${show(limit)}${isLow ? " (nearly full)" : ""}`,
        ),
        `Running for ${Math.round(metrics.uptimeMs / 1000)} s`,
      ].join("\n"),
      isError: false,
      data: {
        is_healthy: isHealthy,
        kernel,
        ...Object.fromEntries(uses.map(({ name, used, limit }) => [name, { used, limit }])),
        uptime_ms: metrics.uptimeMs,
      },
    };
  },
});

async function readVersions({ sandbox, signal }: ToolContext): Promise<Record<string, string | null>> {
  if (!sandbox.info.capabilities.shell) return {};
  const { stdout } = await sandbox.commands.run(PRINT_VERSIONS, {
    signal,
    timeoutMs: 30_000,
    maxOutputBytes: 4096,
  });
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  return Object.fromEntries(rows.map(([program = "", version]) => [program, version || null]));
}

const KERNEL_STATES = {
  ready: "answers",
  busy: "is running something",
  dead: "does not answer; what it held in variables may be lost",
};

async function tryKernel({ sandbox, signal }: ToolContext): Promise<keyof typeof KERNEL_STATES> {
  const contexts = await sandbox.python.contexts({ signal });
  if (contexts.some(({ name, isBusy }) => name === "default" && isBusy)) return "busy";
  try {
    const run = await sandbox.python.run("None", { signal, timeoutMs: KERNEL_TIMEOUT_MS });
    return run.status === "ok" ? "ready" : "dead";
  } catch (error) {
    if (!(error instanceof AtollError) || error.code === "aborted") throw error;
    return error.code === "busy" ? "busy" : "dead";
  }
}

function toMiB(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024).toLocaleString("en-US")} MiB`;
}
