import { readFileSync } from "node:fs";
import type { Duplex } from "node:stream";
import { AtollError, type Command, type Sandbox } from "@atoll/sandbox";
import { chromiumFlags } from "./flags.ts";

export interface Chromium {
  /** Its debugging pipe. It ends when this does. */
  readonly pipe: Duplex;
  /** Resolves when its processes have ended; kills them when that takes too long. */
  ended(): Promise<void>;
}

const launcher = readFileSync(new URL("start_chromium.py", import.meta.url), "utf8");
const MISSING_CODE = 127;
const START_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 10_000;
/** Of what it complains about. */
const KEPT_OUTPUT_BYTES = 64 * 1024;

/** Starts it in a sandbox, on the profile that lies there. Nothing but this pipe leads to it. */
export async function startChromium(sandbox: Sandbox, signal?: AbortSignal): Promise<Chromium> {
  const { workspace } = sandbox.info.paths;
  const command = await sandbox.commands.spawn(
    ["python3", "-I", "-c", launcher, `${workspace}/profile`, ...chromiumFlags],
    { maxOutputBytes: KEPT_OUTPUT_BYTES, signal },
  );
  const around = { timeoutMs: START_TIMEOUT_MS, signal };
  try {
    const pipe = await sandbox.ports.connect(await readPort(command, around.signal), around);
    return { pipe, ended: () => waitOrKill(command) };
  } catch (error) {
    await command.kill().catch(() => {});
    throw error;
  }
}

async function readPort(command: Command, signal?: AbortSignal): Promise<number> {
  let text = "";
  for await (const { stream, bytes } of command.follow(signal ? { signal } : {})) {
    if (stream === "stdout") text += Buffer.from(bytes).toString("latin1");
    const port = /^(\d+)\n/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  const { exitCode } = await command.wait({ timeoutMs: END_TIMEOUT_MS });
  if (exitCode === MISSING_CODE)
    throw new AtollError(
      "not_supported",
      "there is no Chromium: install it on this machine (apt-get install chromium), or for containers build its image (npm run images -- browser)",
    );
  throw new AtollError("runtime_unavailable", `the browser did not start: exit code ${exitCode}`);
}

async function waitOrKill(command: Command): Promise<void> {
  try {
    await command.wait({ timeoutMs: END_TIMEOUT_MS });
  } catch {
    await command.kill().catch(() => {});
  }
}
