import { buildTemplate } from "../../../scripts/images/build.ts";
import { openEngine } from "./engine.ts";

/**
 * Opens an engine with the sandboxes' image on it and points this process at it. The first time on a machine this takes
 * minutes, and says so. Gives what is missing, as the end of "skipped, since …", or the engine's runtimes.
 */
export async function useDockerEngine(): Promise<
  { missing: string } | { missing: undefined; runtimes: readonly string[] }
> {
  const engine = await openEngine();
  if ("missing" in engine) return engine;
  if (engine.host !== undefined) process.env["DOCKER_HOST"] = engine.host;
  // Those that a test file leaves parked end soon after it.
  process.env["ATOLL_POOL_IDLE_S"] ??= "2";
  const say = (text: string) => process.stderr.write(`[docker] ${text}\n`);
  try {
    await buildTemplate("python-data-science", { say });
    return { missing: undefined, runtimes: engine.runtimes };
  } catch (error) {
    return {
      missing: `the image cannot be built: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
