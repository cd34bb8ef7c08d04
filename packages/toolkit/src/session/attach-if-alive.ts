import { AtollError, Sandbox, type SandboxHandle } from "@atoll/sandbox";

/** One that was seen running may have ended when it is joined. */
export async function attachIfAlive(
  ...[id, options]: Parameters<typeof Sandbox.attach>
): Promise<SandboxHandle | undefined> {
  try {
    return await Sandbox.attach(id, options);
  } catch (error) {
    if (error instanceof AtollError && error.code === "sandbox_dead") return undefined;
    throw error;
  }
}
