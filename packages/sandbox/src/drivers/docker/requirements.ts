import { AtollError } from "../../errors.ts";
import { Engine, EngineError, findEngineSocket } from "./engine.ts";

export const defaultImage = "atoll/python-data-science:latest";

/** The OCI runtime of the containers: `runsc` is gVisor. Undefined leaves it to the engine. */
export function wantedRuntime(): string | undefined {
  return process.env["SANDBOX_DOCKER_RUNTIME"] || undefined;
}

/** What containers import ahead of time, by `ATOLL_POOL_PRELOAD`; null for the usual. */
export function wantedPreload(): readonly string[] | null {
  const names = process.env["ATOLL_POOL_PRELOAD"];
  return names === undefined ? null : names.split(/[\s,]+/).filter(Boolean);
}

/** In words that say what to start, change or build; undefined when all is there. */
export async function whyUnavailable(): Promise<string | undefined> {
  if (process.platform !== "linux")
    return `it reaches its containers by Unix sockets in shared folders, which works on Linux, and this is ${process.platform}`;
  try {
    const engine = new Engine(findEngineSocket());
    return (await whyNotThisEngine(engine)) ?? (await whyNoImage(engine, defaultImage));
  } catch (error) {
    return describeFailure(error);
  }
}

export async function whyNoImage(engine: Engine, image: string): Promise<string | undefined> {
  if (await engine.hasImage(image)) return undefined;
  return image === defaultImage
    ? `its image ${image} is not built: run \`npm run images\``
    : `the engine has no image ${image}: build or pull it`;
}

async function whyNotThisEngine(engine: Engine): Promise<string | undefined> {
  const { OSType, SecurityOptions = [], Runtimes = {} } = await engine.info();
  if (OSType !== "linux") return `the engine runs ${OSType} containers, not Linux ones`;
  const remapped = SecurityOptions.find((option) => /name=(rootless|userns)/.test(option));
  if (remapped)
    return "the engine maps users (rootless or userns-remap), so that a sandbox's files would not be its own";
  const runtime = wantedRuntime();
  if (runtime !== undefined && !(runtime in Runtimes))
    return `the engine has no runtime ${runtime} (SANDBOX_DOCKER_RUNTIME); it has: ${Object.keys(Runtimes).join(", ")}`;
  return undefined;
}

function describeFailure(error: unknown): string {
  const cause = error instanceof EngineError ? error.cause : error;
  if (cause instanceof AtollError) return cause.message;
  switch ((cause as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ECONNREFUSED":
      return `no Docker engine answers at ${findEngineSocket()}: start it, or set DOCKER_HOST to its socket`;
    case "EACCES":
      return `this user may not use the Docker engine at ${findEngineSocket()}: add it to the group that owns the socket (usually docker)`;
    default:
      return `the Docker engine does not answer as one: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}
