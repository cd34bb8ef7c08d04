import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Missing } from "../measure.ts";
import { progress } from "../progress.ts";
import type { Session } from "../session.ts";
import { openEngine } from "./engine.ts";
import { provideImage } from "./image.ts";

/** `docker run` on an image with Python and pandas. */
export interface Docker extends AsyncDisposable {
  /** What to spawn for a container that runs this and is removed again. */
  run(command: readonly string[]): [program: string, args: readonly string[], env: NodeJS.ProcessEnv];
}

/** An engine that runs already, or one of our own until this is disposed of; else the reason why there is none. */
export async function openDocker(session: Session): Promise<Docker | (Missing & AsyncDisposable)> {
  const engine = await openEngine(session.signal);
  if ("missing" in engine) return { ...engine, [Symbol.asyncDispose]: async () => {} };
  try {
    const image = await provideImage(engine, session.signal);
    // Without a network a container starts sooner: the comparison is with the fastest docker run there is.
    const prefix = ["run", "--rm", "--network", "none", image];
    // An engine that answers may still be unable to start a container here.
    await promisify(execFile)("docker", [...prefix, "true"], { env: engine.env, signal: session.signal });
    progress.note(`docker: engine ${engine.version}, image ${image}`);
    return {
      run: (command) => ["docker", [...prefix, ...command], engine.env],
      [Symbol.asyncDispose]: () => engine.close(),
    };
  } catch (error) {
    await engine.close();
    session.signal.throwIfAborted();
    return {
      missing: error instanceof Error ? error.message : String(error),
      [Symbol.asyncDispose]: async () => {},
    };
  }
}
