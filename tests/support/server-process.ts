import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = resolve(import.meta.dirname, "../..");

export interface ServerProcessOptions {
  dataDir: string;
  env?: Readonly<Record<string, string>>;
  /** A cgroup, a limit, another user: what to run it under. */
  under?: readonly string[];
}

/** A server as `npm start` runs it, in a process of its own on a free port, with no key of this machine's user. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly output: string[];

  private constructor(child: ChildProcess, url: string, output: string[]) {
    this.child = child;
    this.url = url;
    this.output = output;
  }

  static async start({ dataDir, env = {}, under = [] }: ServerProcessOptions): Promise<ServerProcess> {
    const { PATH = "", HOME = "", XDG_CACHE_HOME } = process.env;
    const command = [...under, process.execPath, join(root, "packages/server/src/main.ts")];
    const child = spawn(command[0] ?? "", command.slice(1), {
      cwd: dataDir,
      env: {
        PATH,
        HOME,
        XDG_CACHE_HOME,
        PORT: "0",
        ATOLL_DATA_DIR: dataDir,
        RATE_LIMIT_MAX: "0",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output: string[] = [];
    const ready = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        output.push(line);
        const url = /\bhttp:\/\/[\w.:[\]]+/.exec(line)?.[0];
        if (url && stream === child.stdout) ready.resolve(url);
      });
    }
    child.once("error", ready.reject);
    child.once("exit", (code) =>
      ready.reject(new Error(`the server ended (${code}):\n${output.join("\n")}`)),
    );
    return new ServerProcess(child, await ready.promise, output);
  }

  /** As a power cut for the process: nothing of it gets to say anything. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** As Ctrl-C. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill(signal);
    await exited;
  }
}
