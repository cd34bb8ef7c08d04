import type { Sandbox } from "../contract/sandbox.ts";

/** The same sandbox without the abilities of its owner: it cannot be ended, paused or copied. */
export function restrict(sandbox: Sandbox): Sandbox {
  const { id, python, commands, files, ports, env, processes } = sandbox;
  return {
    id,
    get info() {
      return sandbox.info;
    },
    python,
    commands,
    files,
    ports,
    env,
    processes,
    metrics: (options) => sandbox.metrics(options),
  };
}
