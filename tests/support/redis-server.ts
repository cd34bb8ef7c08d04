import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";

/** As the end of "skipped, since …"; undefined when there is one. */
export function whyNoRedis(): string | undefined {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "redis-server is not installed (Debian: apt-get install redis-server)";
  }
}

/** A Redis of the test's own: a free port on loopback, a temporary folder, nothing kept. */
export class RedisServer implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess;

  private constructor(folder: string, port: number, child: ChildProcess) {
    this.#folder = folder;
    this.#port = port;
    this.#child = child;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), "atoll-redis-"));
    const port = await findFreePort();
    return new RedisServer(folder, port, await launch(folder, port));
  }

  /** What `redis-cli` answers, a line for each value. */
  command(...command: readonly string[]): string {
    return execFileSync("redis-cli", ["-p", String(this.#port), ...command], { encoding: "utf8" }).trim();
  }

  /** As when its machine is switched off: clients get no notice. */
  async kill(): Promise<void> {
    await end(this.#child, "SIGKILL");
  }

  /** At the same address, with what it had written. */
  async restart(): Promise<void> {
    this.#child = await launch(this.#folder, this.#port);
  }

  /** At the same address, with nothing. */
  async restartEmpty(): Promise<void> {
    await rm(join(this.#folder, "appendonlydir"), { recursive: true, force: true });
    await this.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child, "SIGTERM");
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function launch(folder: string, port: number): Promise<ChildProcess> {
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn("redis-server", [...settings, "--appendonly", "yes", "--appendfsync", "always"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of child.stdout) if (String(line).includes("Ready to accept connections")) break;
  child.stdout.resume();
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "close");
}
