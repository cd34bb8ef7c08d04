import type { CallOptions } from "../contract/call.ts";
import type { FileChange, Files, FileStat, GrepResult, WriteData, WriteOptions } from "../contract/files.ts";
import { AtollError } from "../errors.ts";
import { checkCount, checkPath, checkText, invalid } from "./arguments.ts";
import { streamEvents } from "./events.ts";
import { defaultCallTimeoutMs, type Guest } from "./guest.ts";
import { readChunks } from "./file-reading.ts";
import { writeChunks } from "./file-writing.ts";

const defaultMaxReadBytes = 64 * 1024 * 1024;
const wholeBytes = 4 * 1024 * 1024;

export function createFiles(guest: Guest): Files {
  /** The guest stops work on its own when the time is up; the client's clock is only a safety net behind it. */
  const ask = async <Result>(method: string, params: Record<string, unknown>, options: CallOptions = {}) => {
    const timeoutMs = options.timeoutMs ?? defaultCallTimeoutMs;
    const { result } = await guest.call<Result>(method, { timeoutMs, ...params }, { ...options, timeoutMs: timeoutMs + 1000 });
    return result;
  };
  const files: Files = {
    async read(path, options = {}) {
      const maxBytes = checkCount("maxBytes", options.maxBytes ?? defaultMaxReadBytes);
      const chunks: Uint8Array[] = [];
      for await (const chunk of readChunks(guest, checkPath("path", path), { ...options, maxBytes })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async readText(path, options) {
      return Buffer.from(await files.read(path, options)).toString("utf8");
    },
    readStream(path, options = {}) {
      const chunks = readChunks(guest, checkPath("path", path), options);
      return ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
    },
    write: (path, data, options) => write(guest, checkPath("path", path), data, options),
    list: (path = ".", { recursive = false, maxEntries = 10_000, ...options } = {}) =>
      ask<FileStat[]>("files.list", { path: checkPath("path", path), recursive, maxEntries: checkCount("maxEntries", maxEntries) }, options),
    stat: (path, options) => ask<FileStat>("files.stat", { path: checkPath("path", path) }, options),
    async exists(path, options) {
      try {
        await files.stat(path, options);
        return true;
      } catch (error) {
        if (error instanceof AtollError && ["not_found", "not_a_folder"].includes(error.code)) return false;
        throw error;
      }
    },
    mkdir: (path, options) => ask<void>("files.mkdir", { path: checkPath("path", path) }, options),
    move: (from, to, { overwrite = false, ...options } = {}) =>
      ask<void>("files.move", { from: checkPath("from", from), to: checkPath("to", to), overwrite }, options),
    remove: (path, options) => ask<void>("files.remove", { path: checkPath("path", path) }, options),
    watch: (path, { signal } = {}) =>
      streamEvents(guest, "files.watch", { path: checkPath("path", path) }, signal, ({ name, data }) =>
        name === "change" ? (data as unknown as FileChange) : undefined,
      ),
    glob: (pattern, { cwd = ".", maxEntries = 10_000, ...options } = {}) =>
      ask<string[]>("files.glob", { pattern: checkPath("pattern", pattern), cwd, maxEntries }, options),
    grep(pattern, { path = ".", glob, ignoreCase = false, context = 0, maxMatches = 1000, ...options } = {}) {
      const numbers = { context: checkCount("context", context), maxMatches: checkCount("maxMatches", maxMatches) };
      const params = { pattern: checkText("pattern", pattern), path: checkPath("path", path), glob, ignoreCase, ...numbers };
      return ask<GrepResult>("files.grep", params, options);
    },
  };
  return files;
}

async function write(guest: Guest, path: string, data: WriteData, options: WriteOptions = {}): Promise<FileStat> {
  const params = { path, append: options.append ?? false, mode: options.mode };
  const whole = typeof data === "string" || data instanceof Uint8Array ? Buffer.from(data) : undefined;
  if (whole && whole.length <= wholeBytes) {
    const { result } = await guest.call<FileStat>("files.create", { ...params, isWhole: true }, { ...options, body: whole });
    return result;
  }
  const source = whole ? [whole] : (data as AsyncIterable<Uint8Array>);
  if (!whole && typeof (source as AsyncIterable<Uint8Array>)?.[Symbol.asyncIterator] !== "function") {
    throw invalid("data must be a string, bytes, or a stream of bytes");
  }
  return writeChunks(guest, params, source, options);
}
