import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import type { Tool, ToolContext } from "../../tool.ts";
import { toMiB } from "./sizes.ts";

const KERNEL_TIMEOUT_MS = 10_000;
const NEARLY_FULL = 0.9;

const input = z.strictObject({});

export const workspaceHealth: Tool<z.infer<typeof input>> = {
  name: "workspace_health",
  description: readModelText(import.meta.url),
  input,
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
        `Kernel: ${kernelStates[kernel]}`,
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
};

const kernelStates = {
  ready: "answers",
  busy: "is running something",
  dead: "does not answer; what it held in variables may be lost",
};

async function tryKernel({ sandbox, signal }: ToolContext): Promise<keyof typeof kernelStates> {
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
