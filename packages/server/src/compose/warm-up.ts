import { Sandbox } from "@atoll/sandbox";

/** The first thread would wait for all this. What fails here fails again, and is told, when it is needed. */
export async function warmUp(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const part of parts) await part().catch(() => {});
}

/** Libraries are imported once, for all sandboxes to come. */
export async function startSandboxes(location: { dataDir: string; runtime?: string }): Promise<void> {
  await using sandbox = await Sandbox.create(location);
  await sandbox.python.run("1");
}
