import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool, ToolContext } from "../../tool.ts";
import { toMiB } from "./sizes.ts";

const VERSIONS = `
for program in "python3 --version" "node --version" "git --version" "bash --version"; do
  printf '%s\\t%s\\n' "\${program%% *}" "$(timeout 5 $program 2>/dev/null | head -n 1)"
done`;

const input = z.strictObject({});

export const workspaceInfo: Tool<z.infer<typeof input>> = {
  name: "workspace_info",
  description: readModelText(import.meta.url),
  input,
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
};

async function readVersions({ sandbox, signal }: ToolContext): Promise<Record<string, string | null>> {
  if (!sandbox.info.capabilities.shell) return {};
  const { stdout } = await sandbox.commands.run(VERSIONS, {
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
