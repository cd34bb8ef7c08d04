import { posix } from "node:path";
import type { Files, WriteData } from "../../../contract/files.ts";
import type { SandboxHandle } from "../../../contract/sandbox.ts";
import { AtollError } from "../../../errors.ts";
import type { Pair } from "../pair.ts";

/** The files of whichever sandbox has them all. What is too large for the light one goes to the heavy one. */
export function createRoutedFiles(pair: Pair, maxLightBytes: number): Files {
  const change = async <Result>(work: (home: SandboxHandle) => Promise<Result>, home = pair.home()) => {
    const handle = await home;
    try {
      return await work(handle);
    } finally {
      pair.touched();
    }
  };
  /** The two share only some folders: of the rest the heavy one has more, such as `/proc`. */
  const look = async <Result>(path: string, work: (files: Files) => Promise<Result>): Promise<Result> => {
    const home = await pair.home();
    try {
      return await work(home.files);
    } catch (error) {
      const isMissing = error instanceof AtollError && error.code === "not_found";
      if (!isMissing || pair.hasHeavy || isShared(home, path)) throw error;
      return work((await pair.heavy()).files);
    }
  };
  return {
    read: (path, options) => look(path, (files) => files.read(path, options)),
    readText: (path, options) => look(path, (files) => files.readText(path, options)),
    readStream: (path, options) => ReadableStream.from(readChunks(pair, path, options)),
    async write(path, data, options) {
      const { first, isLarge } = await measure(data, maxLightBytes);
      const home = isLarge ? pair.heavy() : pair.home();
      return change(({ files }) => files.write(path, first, options), home);
    },
    list: (path, options) => look(path ?? ".", (files) => files.list(path, options)),
    stat: (path, options) => look(path, (files) => files.stat(path, options)),
    exists: async (path, options) => (await pair.home()).files.exists(path, options),
    mkdir: (path, options) => change(({ files }) => files.mkdir(path, options)),
    move: (from, to, options) => change(({ files }) => files.move(from, to, options)),
    remove: (path, options) => change(({ files }) => files.remove(path, options)),
    watch: (path, options) => watchHome(pair, path, options),
    glob: async (pattern, options) => (await pair.home()).files.glob(pattern, options),
    grep: async (pattern, options) => (await pair.home()).files.grep(pattern, options),
  };
}

function isShared({ info }: SandboxHandle, path: string): boolean {
  const inside = posix.resolve(info.paths.workspace, path);
  const { workspace, session, data } = info.paths;
  return [workspace, session, data].some((root) => inside === root || inside.startsWith(`${root}/`));
}

async function* readChunks(
  pair: Pair,
  path: string,
  options: Parameters<Files["readStream"]>[1],
): AsyncGenerator<Uint8Array> {
  yield* (await pair.home()).files.readStream(path, options);
}

/** In the sandbox that has the files now; when the other takes them over, in that one. */
async function* watchHome(pair: Pair, path: string, { signal }: { signal?: AbortSignal } = {}) {
  const moved = new AbortController();
  const until = AbortSignal.any([moved.signal, ...(signal ? [signal] : [])]);
  if (!pair.hasHeavy) {
    pair.onHeavy(() => moved.abort());
    yield* pair.light.files.watch(path, { signal: until });
    if (signal?.aborted) return;
  }
  yield* (await pair.heavy()).files.watch(path, signal ? { signal } : {});
}

/** A stream is read until it is clear whether it is large; what was read comes again. */
async function measure(data: WriteData, maxBytes: number): Promise<{ first: WriteData; isLarge: boolean }> {
  if (typeof data === "string") return { first: data, isLarge: Buffer.byteLength(data) > maxBytes };
  if (data instanceof Uint8Array) return { first: data, isLarge: data.length > maxBytes };
  // Not data at all: the sandbox refuses it.
  if (typeof (data as Partial<AsyncIterable<Uint8Array>>)?.[Symbol.asyncIterator] !== "function")
    return { first: data, isLarge: false };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const iterator = (data as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  while (bytes <= maxBytes) {
    const next = await iterator.next();
    if (next.done) return { first: Buffer.concat(chunks), isLarge: false };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return { first: join(chunks, iterator), isLarge: true };
}

async function* join(
  chunks: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
