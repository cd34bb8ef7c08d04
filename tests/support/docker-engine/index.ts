import { buildTemplate } from "../../../scripts/images/build.ts";
import { openEngine } from "./engine.ts";

export interface EngineUse {
  /** Containers have imported what they usually have. Without it they cost a third, and import when asked to. */
  readonly isPreloaded?: boolean;
  /** The OCI runtime that the containers are to have; default the engine's own. */
  readonly runtime?: string;
  /** Templates whose images are needed besides the sandboxes' own. */
  readonly templates?: readonly string[];
}

/**
 * Opens an engine with the sandboxes' image on it and points this process at it. The first time on a machine this takes
 * most of a minute, and says so. Gives what is missing, as the end of "skipped, since …".
 */
export async function useDockerEngine(use: EngineUse = {}): Promise<{ missing: string | undefined }> {
  const engine = await openEngine();
  if ("missing" in engine) return engine;
  if (use.runtime !== undefined && !engine.runtimes.includes(use.runtime))
    return { missing: `the engine has no runtime ${use.runtime} (apt-get install ${use.runtime})` };
  if (engine.host !== undefined) process.env["DOCKER_HOST"] = engine.host;
  if (use.runtime !== undefined) process.env["SANDBOX_DOCKER_RUNTIME"] = use.runtime;
  if (!use.isPreloaded) process.env["ATOLL_POOL_PRELOAD"] ??= "";
  // Those that a test file leaves parked end soon after it.
  process.env["ATOLL_POOL_IDLE_S"] ??= "2";
  const say = (text: string) => process.stderr.write(`[docker] ${text}\n`);
  try {
    // An engine that was already there gets the image that its owner would build.
    for (const name of ["python-data-science", ...(use.templates ?? [])])
      await buildTemplate(name, { say, isQuick: engine.host !== undefined });
    return { missing: undefined };
  } catch (error) {
    return {
      missing: `the image cannot be built: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
