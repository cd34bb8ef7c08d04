/**
 * The boundary between Python and JavaScript. WebAssembly can do nothing but compute and call the functions that it was
 * given at its start: everything that leads out is in that one list. Some 1,200 of its 1,370 entries reach into
 * JavaScript. They are needed while the interpreter starts; once the gate is closed, a call to one of them ends the
 * process, whoever makes it: Python code through a proxy, C code through ctypes, or a forged function pointer.
 */
export interface Gate {
  /** For good. */
  close(): void;
  readonly isClosed: boolean;
}

type ImportedFunction = ((...args: never[]) => unknown) & { sig?: string };
type Imports = Record<string, Record<string, unknown>>;

declare const WebAssembly: { instantiate(source: unknown, imports: Imports): unknown };

/** What takes the place of imported functions, or of some once the gate is closed. */
export interface Replacements {
  readonly always: Readonly<Record<string, (original: ImportedFunction) => ImportedFunction>>;
  readonly onceClosed: Readonly<Record<string, (...args: never[]) => unknown>>;
}

/** Puts the gate into the next instance of a module with Emscripten's imports. */
export function installGate(replacements: Replacements, onViolation: (name: string) => never): Gate {
  let isClosed = false;
  const guard = (name: string, original: ImportedFunction): ImportedFunction => {
    const instead = replacements.onceClosed[name];
    const guarded: ImportedFunction = (...args) => {
      if (!isClosed) return original(...args);
      return instead ? instead(...args) : onViolation(name);
    };
    // Emscripten keeps a function's signature as a property.
    return Object.assign(guarded, original);
  };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (source, imports) => {
    const functions = imports?.["env"];
    for (const [name, value] of Object.entries(functions ?? {})) {
      if (typeof value !== "function" || !functions) continue;
      const replace = replacements.always[name];
      if (replace) functions[name] = Object.assign(replace(value as ImportedFunction), value);
      else if (!isHarmless(name)) functions[name] = guard(name, value as ImportedFunction);
    }
    return instantiate(source, imports);
  };
  return {
    close: () => void (isClosed = true),
    get isClosed() {
      return isClosed;
    },
  };
}

/** What computes, tells the time, or works on the interpreter's own file system, which is memory. */
export function isHarmless(name: string): boolean {
  return harmless.has(name) || /^(invoke_|emscripten_math_|emscripten_runtime_keepalive_)/.test(name);
}

const fileCalls = [
  "chdir chmod dup dup3 faccessat fadvise64 fallocate fchdir fchmod fchmodat2 fchown32 fchownat fcntl64 fdatasync",
  "fstat64 fstatfs64 ftruncate64 getcwd getdents64 getuid32_js ioctl lstat64 mkdirat mknodat newfstatat openat pipe",
  "poll readlinkat renameat rmdir stat64 statfs64 symlinkat truncate64 umask_js unlinkat utimensat",
].flatMap((line) => line.split(" ").map((name) => `__syscall_${name}`));

const others = [
  "fd_close fd_fdstat_get fd_pread fd_pwrite fd_read fd_seek fd_sync fd_write",
  "clock_res_get clock_time_get emscripten_get_now emscripten_get_now_res emscripten_date_now",
  "_emscripten_get_now_is_monotonic emscripten_performance_now",
  "_gmtime_js _localtime_js _mktime_js _timegm_js _tzset_js strptime strptime_l __asctime_r",
  "environ_get environ_sizes_get random_get _emscripten_get_progname",
  "_mmap_js _msync_js _munmap_js emscripten_get_heap_max emscripten_notify_memory_growth",
  "stackAlloc stackRestore stackSave _PyEM_TrampolineCall_JS __call_sighandler",
  "getprotobyname getprotobynumber getprotoent setprotoent endprotoent",
  // ctypes: calls of functions in the module's own table, where the entries of this list are guarded too.
  "ffi_call_js ffi_closure_alloc_js ffi_closure_free_js ffi_prep_closure_loc_js",
  // Two that only compare references, made in WebAssembly themselves.
  "JsvError_Check Jsv_GetError_import",
].flatMap((line) => line.split(" "));

const harmless: ReadonlySet<string> = new Set([...fileCalls, ...others]);
