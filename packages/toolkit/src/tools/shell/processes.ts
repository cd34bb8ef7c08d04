import type { ProcessInfo } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";

const MAX_SHOWN = 200;
const MAX_COMMAND_CHARS = 200;

export const processList = defineTool(import.meta.url, {
  name: "process_list",
  input: z.strictObject({}),
  isReadOnly: true,
  async run(_, { sandbox, signal }) {
    const processes = await sandbox.processes.list({ signal });
    const lines = processes.slice(0, MAX_SHOWN).map(describeProcess);
    if (processes.length > MAX_SHOWN) lines.push(`[${processes.length - MAX_SHOWN} more processes]`);
    const data = processes.map((process) => ({
      pid: process.pid,
      parent_pid: process.parentPid,
      command: process.commandLine,
      state: process.state,
      resident_bytes: process.residentBytes,
      cpu_ms: process.cpuMs,
    }));
    return success(["pid parent state cpu_s memory_mb command", ...lines].join("\n"), { data });
  },
});

export const processKill = defineTool(import.meta.url, {
  name: "process_kill",
  input: z.strictObject({
    pid: z.int().min(1),
    signal: z
      .string()
      .regex(/^(SIG)?[A-Z0-9]+$/)
      .default("SIGKILL")
      .describe("e.g. SIGTERM or SIGINT; it cannot refuse SIGKILL"),
  }),
  isReadOnly: false,
  async run({ pid, signal: signalName }, { sandbox, signal }) {
    await sandbox.processes.kill(pid, { signalName, signal });
    return success(`Sent ${signalName} to process ${pid}.`);
  },
});

function describeProcess({ pid, parentPid, state, cpuMs, residentBytes, commandLine }: ProcessInfo): string {
  const memory = (residentBytes / 1e6).toFixed(1);
  const command = showPath(commandLine.slice(0, MAX_COMMAND_CHARS));
  return `${pid} ${parentPid} ${state} ${(cpuMs / 1000).toFixed(2)} ${memory} ${command}`;
}
