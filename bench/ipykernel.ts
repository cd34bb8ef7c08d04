import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Missing } from "./measure.ts";
import { findSetUpPython } from "./python.ts";
import type { Session } from "./session.ts";

export interface Ipykernel extends AsyncDisposable {
  /** One round trip; the ms it took, by the clock of the Python client. */
  execute(code: string): Promise<number>;
}

/** A real ipykernel behind a real jupyter_client, both of the bench's own environment. */
export async function startIpykernel(session: Session): Promise<Ipykernel | (Missing & AsyncDisposable)> {
  const python = await findSetUpPython("python-bench");
  if (python === undefined) {
    return {
      missing: "no .atoll/python-bench.json: run node scripts/setup.mjs --bench",
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const own = join(session.folder, "jupyter");
  await mkdir(own, { recursive: true });
  const child = spawn(python, [join(import.meta.dirname, "ipykernel_client.py")], {
    stdio: ["pipe", "pipe", "inherit"],
    // Ctrl-C in the terminal is for the bench, which then ends this one in order.
    detached: true,
    env: { ...process.env, JUPYTER_RUNTIME_DIR: join(own, "runtime"), IPYTHONDIR: join(own, "ipython") },
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the ipykernel client ended");
    return value;
  };
  await readLine();
  return {
    async execute(code) {
      child.stdin.write(`${JSON.stringify(code)}\n`);
      const { result, ms } = JSON.parse(await readLine()) as { result: string; ms: number };
      if (result !== "2") throw new Error(`the ipykernel answered ${result}`);
      return ms;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
