import type { CallOptions } from "../contract/call.ts";
import type { FileChange, Files, FileStat, GrepResult, WriteData, WriteOptions } from "../contract/files.ts";
import { AtollError } from "../errors.ts";
import { checkPath, checkRange, checkText, invalid } from "./arguments.ts";
import { streamEvents } from "./wire/events.ts";
import { defaultCallTimeoutMs, type Guest } from "./wire/guest.ts";
import { readChunks } from "./file-reading.ts";
import { writeChunks } from "./file-writing.ts";

const defaultMaxReadBytes = 64 * 1024 * 1024;
const defaultMaxEntries = 10_000;
const wholeBytes = 4 * 1024 * 1024;

export function createFiles(guest: Guest): Files {
  /** The guest stops work on its own when the time is up; the client's clock is only a safety net behind it. */
  const ask = async <Result>(method: string, params: Record<string, unknown>, options: CallOptions = {}) => {
    const timeoutMs = options.timeoutMs ?? defaultCallTimeoutMs;
    const { result } = await guest.call<Result>(
      method,
      { timeoutMs, ...params },
      { ...options, timeoutMs: timeoutMs + 1000 },
    );
    return result;
  };
  const files: Files = {
    async read(path, options = {}) {
      const maxBytes = checkRange("maxBytes", options.maxBytes ?? defaultMaxReadBytes, 0);
      const chunks: Uint8Array[] = [];
      for await (const chunk of readChunks(guest, checkPath("path", path), { ...options, maxBytes }))
        chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async readText(path, options) {
      return Buffer.from(await files.read(path, options)).toString("utf8");
    },
    readStream(path, options = {}) {
      const chunks = readChunks(guest, checkPath("path", path), options);
      return ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
    },
    write: async (path, data, options) => write(guest, checkPath("path", path), data, options),
    async list(path = ".", { recursive = false, maxEntries = defaultMaxEntries, ...options } = {}) {
      const params = {
        path: checkPath("path", path),
        recursive,
        maxEntries: checkRange("maxEntries", maxEntries, 1),
      };
      return ask<FileStat[]>("files.list", params, options);
    },
    stat: async (path, options) => ask<FileStat>("files.stat", { path: checkPath("path", path) }, options),
    async exists(path, options) {
      try {
        await files.stat(path, options);
        return true;
      } catch (error) {
        if (error instanceof AtollError && ["not_found", "not_a_folder"].includes(error.code)) return false;
        throw error;
      }
    },
    mkdir: async (path, options) => ask<void>("files.mkdir", { path: checkPath("path", path) }, options),
    move: async (from, to, { overwrite = false, ...options } = {}) =>
      ask<void>("files.move", { from: checkPath("from", from), to: checkPath("to", to), overwrite }, options),
    remove: async (path, options) => ask<void>("files.remove", { path: checkPath("path", path) }, options),
    watch: (path, { signal } = {}) =>
      streamEvents(guest, "files.watch", { path: checkPath("path", path) }, signal, ({ name, data }) =>
        name === "change" ? (data as unknown as FileChange) : undefined,
      ),
    async glob(pattern, { cwd = ".", maxEntries = defaultMaxEntries, ...options } = {}) {
      const params = {
        pattern: checkPath("pattern", pattern),
        cwd,
        maxEntries: checkRange("maxEntries", maxEntries, 1),
      };
      return ask<string[]>("files.glob", params, options);
    },
    async grep(
      pattern,
      { path = ".", glob, ignoreCase = false, context = 0, maxMatches = 1000, ...options } = {},
    ) {
      const numbers = {
        context: checkRange("context", context, 0),
        maxMatches: checkRange("maxMatches", maxMatches, 1),
      };
      const params = {
        pattern: checkText("pattern", pattern),
        path: checkPath("path", path),
        glob,
        ignoreCase,
        ...numbers,
      };
      return ask<GrepResult>("files.grep", params, options);
    },
  };
  return files;
}

async function write(
  guest: Guest,
  path: string,
  data: WriteData,
  options: WriteOptions = {},
): Promise<FileStat> {
  const mode = options.mode === undefined ? undefined : checkRange("mode", options.mode, 0, 0o7777);
  const params = { path, append: options.append ?? false, mode };
  const whole = typeof data === "string" || data instanceof Uint8Array ? Buffer.from(data) : undefined;
  if (whole && whole.length <= wholeBytes) {
    const { result } = await guest.call<FileStat>(
      "files.create",
      { ...params, isWhole: true },
      { ...options, body: whole },
    );
    return result;
  }
  const source = whole ? [whole] : (data as AsyncIterable<Uint8Array>);
  if (!whole && typeof (source as AsyncIterable<Uint8Array>)?.[Symbol.asyncIterator] !== "function") {
    throw invalid("data must be a string, bytes, or a stream of bytes");
  }
  return writeChunks(guest, params, source, options);
}
