import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "@atoll/sandbox";
import { evaluateJson } from "@atoll/sandbox/conformance";
import { expect } from "vitest";

/** Runs a program of `probes/` in the kernel and gives what it printed. */
export async function probe<T>(sandbox: Sandbox, name: string, args: object = {}): Promise<T> {
  return evaluateJson<T>(sandbox, await sourceOf(name, args), { timeoutMs: 50_000 });
}

/** The same as a command: a process that was executed instead of forked. */
export async function probeByCommand<T>(sandbox: Sandbox, name: string, args: object = {}): Promise<T> {
  const result = await sandbox.commands.run(["python3", "-"], {
    stdin: await sourceOf(name, args),
    timeoutMs: 50_000,
  });
  expect(result.exitCode, result.stderr).toBe(0);
  return JSON.parse(result.stdout) as T;
}

/** The same on the host, which shows that the probe finds what is there to be found. */
export async function probeOnHost<T>(name: string, args: object = {}): Promise<T> {
  const running = promisify(execFile)("python3", ["-"], { maxBuffer: 1 << 26 });
  running.child.stdin?.end(await sourceOf(name, args));
  return JSON.parse((await running).stdout) as T;
}

export async function sourceOf(name: string, args: object): Promise<string> {
  const source = await readFile(join(import.meta.dirname, "../probes", `${name}.py`), "utf8");
  return `import json\nARGS = json.loads(${JSON.stringify(JSON.stringify(args))})\n${source}`;
}
