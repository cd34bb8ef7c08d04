import { type FileTable, previewTable } from "@atoll/analyst";
import { KeyedMutex } from "@atoll/std";
import { LRUCache } from "lru-cache";
import { AtollError, type Sandbox, type TablePage, type TableQuery } from "@atoll/sandbox";

/** A kernel of its own: the files that somebody looks at are no matter of the thread's variables. */
const previewContext = "_preview";
const maxKept = 500;

export interface ShownFile {
  readonly table: FileTable;
  readonly page: TablePage;
}

interface Known extends FileTable {
  /** Of the file when it was read. */
  readonly stamp: string;
}

/** Files of threads as tables to page through. A file is read once, and again when it has changed. */
export class FileTables {
  readonly #known = new LRUCache<string, Known>({ max: maxKept });
  readonly #mutex = new KeyedMutex();

  /** One after the other in a thread: they share a kernel. */
  async show(
    threadId: string,
    sandbox: Sandbox,
    { path, sheet }: { path: string; sheet?: string | undefined },
    query: TableQuery,
  ): Promise<ShownFile> {
    const key = `${threadId}\0${path}\0${sheet ?? ""}`;
    return this.#mutex.run(threadId, () => this.#show(key, sandbox, { path, sheet }, query));
  }

  async #show(
    key: string,
    sandbox: Sandbox,
    { path, sheet }: { path: string; sheet?: string | undefined },
    query: TableQuery,
  ): Promise<ShownFile> {
    const { signal } = query;
    const { kind, sizeBytes, modifiedAt } = await sandbox.files.stat(path, signal ? { signal } : {});
    if (kind === "folder") throw new AtollError("not_a_file", "This is a folder, not a file.");
    const stamp = `${sizeBytes} ${modifiedAt}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp) {
      const page = await unlessGone(
        sandbox.python.table(known.tableId, { ...query, context: previewContext }),
      );
      if (page) return { table: known, page };
    }
    await openContext(sandbox);
    const table = await previewTable(sandbox, path, {
      context: previewContext,
      sheet,
      signal,
    });
    this.#known.set(key, { ...table, stamp });
    const page = await sandbox.python.table(table.tableId, { ...query, context: previewContext });
    return { table, page };
  }
}

async function openContext({ python }: Sandbox): Promise<void> {
  try {
    await python.createContext({ name: previewContext });
  } catch (error) {
    if (!(error instanceof AtollError && error.code === "already_exists")) throw error;
  }
}

/** The kernel has let it go, or is a new one. */
async function unlessGone<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AtollError && error.code === "not_found") return undefined;
    throw error;
  }
}
