import type { Files, FileStat } from "@atoll/sandbox";
import { once } from "node:events";
import { posix } from "node:path";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

const maxEntries = 100_000;
const firstTime = Date.UTC(1980, 0, 2);
const lastTime = Date.UTC(2037, 11, 31);

/**
 * Folders of a sandbox as a zip, made while they are read: no more than a few blocks are ever in memory. One folder's
 * names begin below it; those of several tell which one they are from.
 */
export async function zipFolders(
  files: Files,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const lists = await Promise.all(
    folders.map((folder) => files.list(folder, { recursive: true, maxEntries, signal })),
  );
  const entries = lists.flat();
  const archive = new ZipFile();
  const output = Readable.from(archive.outputStream);
  const giveUp = () => output.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  output.once("close", () => signal.removeEventListener("abort", giveUp));
  addAll(archive, files, { entries, root: folders.length > 1 ? "/" : commonRoot(entries) }, output).catch(
    (error: unknown) => output.destroy(error as Error),
  );
  return Readable.toWeb(output) as ReadableStream<Uint8Array>;
}

/** One after the other, so that only one file of the sandbox is open. Links are left out: they may lead anywhere. */
async function addAll(
  archive: ZipFile,
  files: Files,
  { entries, root }: { entries: readonly FileStat[]; root: string },
  output: Readable,
): Promise<void> {
  const taken = new Set<string>();
  const left: string[] = [];
  for (const entry of entries) {
    if (output.destroyed) return;
    const name = uniqueName(safeName(posix.relative(root, entry.path)), taken);
    if (entry.kind === "folder") archive.addEmptyDirectory(name, { mtime: timeOf(entry) });
    else if (entry.kind !== "file") left.push(`${name}: ${entry.kind}`);
    else if (!(await addFile(archive, files, entry, name, output))) left.push(`${name}: not readable`);
  }
  if (left.length > 0)
    archive.addBuffer(Buffer.from(`${left.join("\n")}\n`), uniqueName("left-out.txt", taken));
  archive.end();
}

/** The nearest that the format can hold. */
function timeOf({ modifiedAt }: FileStat): Date {
  return new Date(Math.min(lastTime, Math.max(firstTime, Date.parse(modifiedAt) || 0)));
}

/** When the reader leaves, the file is let go of. */
async function addFile(
  archive: ZipFile,
  files: Files,
  entry: FileStat,
  name: string,
  output: Readable,
): Promise<boolean> {
  const reader = files.readStream(entry.path).getReader();
  const first = await reader.read().catch(() => undefined);
  if (!first) return false;
  const stream = Readable.from(rest(first, reader), { objectMode: false });
  archive.addReadStream(stream, name, { mtime: timeOf(entry), mode: 0o100644 });
  const letGo = () => stream.destroy();
  output.once("close", letGo);
  if (output.destroyed) letGo();
  await once(stream, "close");
  output.off("close", letGo);
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
