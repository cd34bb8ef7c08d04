import type { ProcessInfo } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { showPath } from "../paths.ts";

const MAX_SHOWN = 200;
const MAX_COMMAND_CHARS = 200;

const input = z.strictObject({});

export const processList: Tool<z.infer<typeof input>> = {
  name: "process_list",
  description: readModelText(import.meta.url),
  input,
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
};

function describeProcess({ pid, parentPid, state, cpuMs, residentBytes, commandLine }: ProcessInfo): string {
  const memory = (residentBytes / 1e6).toFixed(1);
  const command = showPath(commandLine.slice(0, MAX_COMMAND_CHARS));
  return `${pid} ${parentPid} ${state} ${(cpuMs / 1000).toFixed(2)} ${memory} ${command}`;
}
