import type { Limits } from "../../../contract/limits.ts";
import type { SandboxPaths } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import type { GuestCall, GuestEvent, Reply } from "../../../guest/wire/connection.ts";
import type { Child, Ending } from "../interpreter/child.ts";
import { parseFileChanges } from "../files/file-quota.ts";
import type { FileStore } from "../files/file-store.ts";
import type { FileRow } from "../inside/kept-files.ts";
import { maxFiles } from "../limits.ts";
import { absentPackages } from "../distribution/packages.ts";
import { pool } from "../interpreter/pool.ts";

const batchBytes = 16 * 1024 * 1024;

export interface KernelOptions {
  readonly store: FileStore;
  readonly paths: SandboxPaths;
  readonly limits: Limits;
  readonly env: Record<string, string>;
  /** Of `/data`, read when an interpreter starts. */
  dataRows(): AsyncIterable<{ row: FileRow; content: Uint8Array }>;
}

/** The interpreter of a sandbox: started when it is needed, replaced by the next when it has ended. */
export class Kernel {
  readonly #options: KernelOptions;
  #child: Child | undefined;
  #starting: Promise<Child> | undefined;
  #isExpectedToEnd = false;
  #isClosed = false;
  /** It ended, unasked, since the last request: variables are lost of which nobody has heard. */
  hasLostVariables = false;
  isUnused = true;
  executionCount = 0;
  onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => void = () => {};

  constructor(options: KernelOptions) {
    this.#options = options;
  }

  get child(): Child | undefined {
    return this.#child?.isAlive ? this.#child : undefined;
  }

  async ready(): Promise<Child> {
    if (this.#isClosed) throw new AtollError("sandbox_dead", "the sandbox has ended");
    if (this.child) return this.child;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** A call that any interpreter can answer: one that ends meanwhile is replaced. Its effects on files are on disk. */
  async call<Result>(
    method: string,
    params: Record<string, unknown>,
    options?: GuestCall,
  ): Promise<Reply<Result>> {
    const { store } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const child = await this.ready();
      try {
        const reply = await child.call<Result>(method, params, options);
        await store.settled();
        return reply;
      } catch (error) {
        await store.settled();
        if (child.isAlive || attempt > 0) throw error;
        await child.ended;
      }
    }
  }

  /** Ends the interpreter. The next one starts when it is needed. */
  async end(): Promise<Ending | undefined> {
    await this.#starting?.catch(() => {});
    const child = this.#child;
    if (!child) return undefined;
    this.#isExpectedToEnd = true;
    const ending = await child.kill();
    await this.#options.store.settled();
    return ending;
  }

  /** No other starts after it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.end();
  }

  async #start(): Promise<Child> {
    const child = await pool.take();
    try {
      await this.#settle(child);
    } catch (error) {
      await child.kill();
      throw error;
    }
    this.#child = child;
    this.#isExpectedToEnd = false;
    this.isUnused = true;
    this.executionCount = 0;
    void child.ended.then(() => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#isExpectedToEnd && !this.isUnused) this.hasLostVariables = true;
    });
    return child;
  }

  /** Gives an interpreter that was nobody's the files, limits and settings of this sandbox. */
  async #settle(child: Child): Promise<void> {
    const { store, paths, limits, env } = this.#options;
    child.onEvent = (event) => this.#onEvent(child, event);
    await store.settled();
    await place(child, store.rows());
    await place(child, this.#options.dataRows());
    const { memoryBytes, fileSizeBytes, diskBytes, tmpBytes, openFiles } = limits;
    await Promise.all([
      child.call("begin", { memoryBytes, fileSizeBytes, diskBytes, tmpBytes, openFiles, files: maxFiles }),
      child.call("become", { paths }),
      child.call("kernel", {
        op: "configure",
        env,
        cwd: paths.workspace,
        cpus: 1,
        openFiles,
        absent: absentPackages(),
      }),
    ]);
  }

  /** What throws here is a breach of the protocol, and ends the interpreter. */
  #onEvent(child: Child, { name, data, body }: GuestEvent): void {
    const { store } = this.#options;
    if (name === "stdout" || name === "stderr") this.onOutput(name, body);
    else if (name === "files") {
      store.apply(parseFileChanges(data, body), body);
      if (store.isCongested) child.holdUp(store.settled());
    }
  }
}

async function place(
  child: Child,
  source: AsyncIterable<{ row: FileRow; content: Uint8Array }>,
): Promise<void> {
  let rows: FileRow[] = [];
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const send = async () => {
    if (rows.length > 0) await child.call("place", { rows }, { body: Buffer.concat(parts) });
    [rows, parts, bytes] = [[], [], 0];
  };
  for await (const { row, content } of source) {
    if (bytes + content.length > batchBytes || rows.length >= 2000) await send();
    rows.push(row);
    parts.push(content);
    bytes += content.length;
  }
  await send();
}
