import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AtollError } from "../../../errors.ts";
import type { FileRow } from "../inside/kept-files.ts";

type DataRow = { row: FileRow; content: Uint8Array };

/** Looks at data sets before anything starts: they are copied into the interpreter's memory, and have to fit. */
export async function checkDatasets(
  datasets: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<void> {
  let bytes = 0;
  for (const [name, source] of Object.entries(datasets)) {
    for await (const { size } of walk(source, name)) bytes += size;
    if (bytes > maxBytes)
      throw new AtollError(
        "too_large",
        `datasets: with ${name} they have ${bytes} bytes or more, and the pyodide runtime holds at most ${maxBytes} in memory: raise limits.memoryBytes (SANDBOX_AS_MB), or choose a CPython runtime (local, docker)`,
      );
  }
}

/** As they are on the host now, in the form in which an interpreter takes them. */
export async function* readDatasets(datasets: Readonly<Record<string, string>>): AsyncGenerator<DataRow> {
  for (const [name, source] of Object.entries(datasets))
    for await (const { path, place, isFolder, modifiedMs } of walk(source, name)) {
      const content = isFolder ? new Uint8Array() : await readFile(place);
      const kind = isFolder ? "folder" : "file";
      const row = ["data", path, kind, isFolder ? 0o755 : 0o644, content.length, modifiedMs, null];
      yield { row: row as unknown as FileRow, content };
    }
}

interface Found {
  readonly path: string;
  readonly place: string;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modifiedMs: number;
}

async function* walk(source: string, name: string): AsyncGenerator<Found> {
  const facts = await stat(source).catch((cause: unknown) => {
    throw new AtollError("not_found", `datasets: there is nothing at ${source}`, { cause });
  });
  const found = { path: name, place: source, modifiedMs: facts.mtimeMs };
  if (facts.isFile()) {
    yield { ...found, isFolder: false, size: facts.size };
  } else if (facts.isDirectory()) {
    yield { ...found, isFolder: true, size: 0 };
    for (const inner of await readdir(source)) {
      const kind = await lstat(join(source, inner));
      // A link could lead anywhere on the host; only what really lies in the folder is shown.
      if (kind.isFile() || kind.isDirectory()) yield* walk(join(source, inner), `${name}/${inner}`);
    }
  } else {
    throw new AtollError("not_a_file", `datasets: ${source} is neither a file nor a folder`);
  }
}
