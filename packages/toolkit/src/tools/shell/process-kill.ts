import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";

const input = z.strictObject({
  pid: z.int().min(1),
  signal: z
    .string()
    .regex(/^(SIG)?[A-Z0-9]+$/)
    .default("SIGKILL")
    .describe("e.g. SIGTERM or SIGINT; it cannot refuse SIGKILL"),
});

export const processKill: Tool<z.infer<typeof input>> = {
  name: "process_kill",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ pid, signal: signalName }, { sandbox, signal }) {
    await sandbox.processes.kill(pid, { signalName, signal });
    return success(`Sent ${signalName} to process ${pid}.`);
  },
};
