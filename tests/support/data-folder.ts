import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox } from "@atoll/sandbox";
import { ServerProcess, type ServerProcessOptions } from "./server-process.ts";

/** A server's data folder that outlives its servers: at its end nothing of them is left, however they ended. */
export class DataFolder implements AsyncDisposable {
  readonly path: string;
  readonly #servers: ServerProcess[] = [];

  static async create(name: string): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(join(tmpdir(), `atoll-${name}-`)));
  }

  constructor(path: string) {
    this.path = path;
  }

  async start(options: Omit<ServerProcessOptions, "dataDir"> = {}): Promise<ServerProcess> {
    const server = await ServerProcess.start({ ...options, dataDir: this.path });
    this.#servers.push(server);
    return server;
  }

  /** Of the sandboxes and what makes them: each sees a part of this folder as its own. */
  async processes(): Promise<number[]> {
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      names.map(async (pid) => {
        const mounts = await readFile(`/proc/${pid}/mountinfo`, "utf8").catch(() => "");
        return mounts.includes(this.path) && !this.#isOwn(Number(pid)) ? [Number(pid)] : [];
      }),
    );
    return found.flat();
  }

  /** Whatever server is still running. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  async kill(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.kill()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    const listed = await Sandbox.list({ dataDir: this.path });
    const living = listed.filter(({ state }) => state !== "dead");
    // The owner process is gone.
    const fence = Number.MAX_SAFE_INTEGER;
    const end = async (id: string) => (await Sandbox.attach(id, { dataDir: this.path, fence })).destroy();
    await Promise.all(living.map(({ id }) => end(id)));
    await this.remove();
  }

  /** What makes sandboxes ends by itself when its folder is gone. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }

  #isOwn(pid: number): boolean {
    return pid === process.pid || this.#servers.some(({ child }) => child.pid === pid);
  }
}
