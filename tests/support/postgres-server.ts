import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "./free-port.ts";

/** As the end of "skipped, since …"; undefined when there is one. */
export function whyNoPostgres(): string | undefined {
  return findPrograms() === undefined
    ? "no Postgres is installed (Debian: apt-get install postgresql)"
    : undefined;
}

/**
 * A Postgres of the test's own: a free port on loopback, a temporary folder, no password. What it commits survives its
 * processes, but not the machine: tests do not wait for the disk.
 */
export class PostgresServer implements AsyncDisposable {
  readonly #folder: string;
  readonly #programs: string;
  readonly #port: number;
  #child: ChildProcess | undefined;
  #databaseCount = 0;

  private constructor(folder: string, programs: string, port: number) {
    this.#port = port;
    this.#folder = folder;
    this.#programs = programs;
  }

  static async start(): Promise<PostgresServer> {
    const programs = findPrograms();
    if (programs === undefined) throw new Error(whyNoPostgres());
    const folder = await mkdtemp(join(tmpdir(), "atoll-postgres-"));
    if (user) chownSync(folder, user.uid, user.gid);
    const server = new PostgresServer(folder, programs, await findFreePort());
    const flags = [
      "--pgdata",
      server.#dataFolder,
      "--username",
      "atoll",
      "--encoding",
      "UTF8",
      "--locale",
      "C",
    ];
    await run(join(programs, "initdb"), [...flags, "--no-sync", "--auth", "trust"], { ...user, cwd: folder });
    await server.restart();
    return server;
  }

  /** The address of a new, empty database. */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databaseCount}`;
    await this.#psql("postgres", `CREATE DATABASE ${name}`);
    return this.#urlOf(name);
  }

  /** Runs SQL in the database of an address, and gives what psql prints. */
  async query(url: string, sql: string): Promise<string> {
    return this.#psql(new URL(url).pathname.slice(1), sql);
  }

  /** As when its machine is switched off: clients get no notice. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Ends every connection and what it does, in good order. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  /** No client is answered, and no connection ends. */
  freeze(): void {
    this.#signalAll("SIGSTOP");
  }

  thaw(): void {
    this.#signalAll("SIGCONT");
  }

  /** At the same address, with what it had written. Of one that was killed, the last processes may still be ending. */
  async restart(): Promise<void> {
    while (true) {
      const log = await this.#tryStart();
      if (log === undefined) return;
      if (!log.includes("is still in use")) throw new Error(`Postgres did not start: ${log}`);
    }
  }

  /** What it said, if it did not start. */
  async #tryStart(): Promise<string | undefined> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(this.#port),
      unix_socket_directories: this.#folder,
      fsync: "off",
      full_page_writes: "off",
      max_connections: "60",
      shared_buffers: "32MB",
      // Else a sandbox without much /dev/shm has no Postgres.
      dynamic_shared_memory_type: "mmap",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(this.#programs, "postgres"), ["-D", this.#dataFolder, ...flags], {
      ...user,
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    let log = "";
    for await (const text of child.stderr) {
      log += String(text);
      if (log.includes("database system is ready to accept connections")) {
        child.stderr.resume();
        return undefined;
      }
    }
    return log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGINT");
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  get #dataFolder(): string {
    return join(this.#folder, "data");
  }

  #urlOf(database: string): string {
    return `postgres://atoll@127.0.0.1:${this.#port}/${database}`;
  }

  async #psql(database: string, sql: string): Promise<string> {
    const flags = ["-d", this.#urlOf(database), "-v", "ON_ERROR_STOP=1", "-qAt", "-c", sql];
    const { stdout } = await run(join(this.#programs, "psql"), flags, { cwd: this.#folder });
    return stdout.trim();
  }

  /** A process for each connection, and a few that work for all. */
  #signalAll(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const each of [pid, ...children.map(Number)]) {
      try {
        process.kill(each, signal);
      } catch {
        // It has ended just now.
      }
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (signal === "SIGKILL") this.#signalAll(signal);
    else child.kill(signal);
    await once(child, "close");
  }
}

const run = promisify(execFile);

/** Postgres does not run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

function findPrograms(): string | undefined {
  const [newest] = globSync("/usr/lib/postgresql/*/bin/initdb").toSorted((a, b) =>
    b.localeCompare(a, undefined, { numeric: true }),
  );
  return newest?.replace(/\/initdb$/, "");
}
