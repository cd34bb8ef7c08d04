import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildTemplate } from "../../scripts/images/build.ts";
import { openEngine } from "../../tests/support/docker-engine/engine.ts";
import type { Missing } from "../measure.ts";
import { progress } from "../progress.ts";
import type { Session } from "../session.ts";

/** A container engine with the sandboxes' own image on it. */
export interface Docker extends AsyncDisposable {
  /** What `DOCKER_HOST` has to be; undefined for the engine that answers without it. */
  readonly host: string | undefined;
  /** What to spawn for a `docker run` that is removed again. */
  run(command: readonly string[]): [program: string, args: readonly string[], env: NodeJS.ProcessEnv];
}

/** An engine that runs already, or one of our own until this is disposed of; else the reason why there is none. */
export async function openDocker(session: Session): Promise<Docker | (Missing & AsyncDisposable)> {
  const engine = await openEngine();
  if ("missing" in engine) return { ...engine, [Symbol.asyncDispose]: async () => {} };
  const env = { ...process.env, ...(engine.host && { DOCKER_HOST: engine.host }) };
  try {
    const say = (text: string) => progress.note(`docker: ${text}`);
    const image = await buildTemplate("python-data-science", {
      say,
      env,
      signal: session.signal,
      isQuick: engine.host !== undefined,
    });
    // Without a network a container starts sooner: the comparison is with the fastest docker run there is.
    const prefix = ["run", "--rm", "--network", "none", image];
    // An engine that answers may still be unable to start a container here.
    await promisify(execFile)("docker", [...prefix, "true"], { env, signal: session.signal });
    progress.note(`docker: engine ${engine.version}, image ${image}`);
    return {
      host: engine.host,
      run: (command) => ["docker", [...prefix, ...command], env],
      [Symbol.asyncDispose]: async () => engine.close(),
    };
  } catch (error) {
    engine.close();
    session.signal.throwIfAborted();
    return {
      missing: error instanceof Error ? error.message : String(error),
      [Symbol.asyncDispose]: async () => {},
    };
  }
}
