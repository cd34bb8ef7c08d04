import type { Files, FileStat } from "@atoll/sandbox";
import { once } from "node:events";
import { posix } from "node:path";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

const maxEntries = 100_000;

/** A folder of a sandbox as a zip, made while it is read: no more than a few blocks of it are ever in memory. */
export async function zipFolder(
  files: Files,
  folder: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const entries = await files.list(folder, { recursive: true, maxEntries, signal });
  const archive = new ZipFile();
  const output = Readable.from(archive.outputStream);
  const giveUp = () => output.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  output.once("close", () => signal.removeEventListener("abort", giveUp));
  addAll(archive, files, entries, output).catch((error: unknown) => output.destroy(error as Error));
  return Readable.toWeb(output) as ReadableStream<Uint8Array>;
}

/** One after the other, so that only one file of the sandbox is open. Links are left out: they may lead anywhere. */
async function addAll(
  archive: ZipFile,
  files: Files,
  entries: readonly FileStat[],
  output: Readable,
): Promise<void> {
  const root = commonRoot(entries);
  const taken = new Set<string>();
  const left: string[] = [];
  for (const entry of entries) {
    if (output.destroyed) return;
    const name = uniqueName(safeName(posix.relative(root, entry.path)), taken);
    if (entry.kind === "folder") archive.addEmptyDirectory(name, { mtime: new Date(entry.modifiedAt) });
    else if (entry.kind !== "file") left.push(`${name}: ${entry.kind}`);
    else if (!(await addFile(archive, files, entry, name))) left.push(`${name}: not readable`);
  }
  if (left.length > 0)
    archive.addBuffer(Buffer.from(`${left.join("\n")}\n`), uniqueName("left-out.txt", taken));
  archive.end();
}

async function addFile(archive: ZipFile, files: Files, entry: FileStat, name: string): Promise<boolean> {
  const reader = files.readStream(entry.path).getReader();
  const first = await reader.read().catch(() => undefined);
  if (!first) return false;
  const stream = Readable.from(rest(first, reader), { objectMode: false });
  archive.addReadStream(stream, name, { mtime: new Date(entry.modifiedAt), mode: 0o100644 });
  await once(stream, "close");
  return true;
}

async function* rest(
  first: Awaited<ReturnType<typeof reader.read>>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let part = first; !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** What an unpacker cannot misread: no way up, no drive, no backslash, no control character. */
export function safeName(path: string): string {
  const parts = path
    .toWellFormed()
    .replaceAll(/[\p{Cc}\\:*?"<>|]/gu, "_")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .map((part) => (part === ".." ? "__" : part));
  return parts.join("/") || "_";
}

function uniqueName(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count++) candidate = `${name} (${count})`;
  taken.add(candidate);
  return candidate;
}

function commonRoot(entries: readonly FileStat[]): string {
  const folders = entries.map(({ path }) => posix.dirname(path));
  return folders.reduce(
    (shortest, folder) => (folder.length < shortest.length ? folder : shortest),
    folders[0] ?? "/",
  );
}
