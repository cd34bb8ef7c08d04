// The process of one sandbox: an interpreter, behind the gate. Started by ../child.ts, never by hand.
import { FrameDecoder } from "../../../guest/wire/frames.ts";
import { addDevices } from "./devices.ts";
import { closeGlobals, dropPermissions } from "./globals.ts";
import { HostStream } from "./host-stream.ts";
import { type Interpreter, type InterpreterOptions, startInterpreter } from "./interpreter.ts";
import type { FileRow } from "./kept-files.ts";
import type { FileLimits, MemoryFiles } from "./memory-files.ts";

interface Begin extends FileLimits {
  readonly memoryBytes: number;
}

const hostDescriptor = 3;
const bellDescriptor = 4;
/** The first call of the host: it is never answered, and what happens here are its events. */
const watchId = 1;
const arrivedSignal = 10;
const alarmSignal = 14;
const lookEveryMs = 2;
const sleepSliceMs = 5;
const tellEveryMs = 250;
const tellShare = 10;
const violationCode = 70;
const reservedBytes = 24 * 1024 * 1024;
const littleBytes = 2 * 1024 * 1024;

const options = JSON.parse(process.argv[2] ?? "{}") as InterpreterOptions;
const host = new HostStream(hostDescriptor, bellDescriptor);
const signals = { alarmAt: Infinity, lookAt: 0, tellAt: 0 };
const memory = { limitBytes: Infinity };
let files: MemoryFiles | undefined;
let isBegun = false;

const interpreter = await startInterpreter(options, {
  onViolation(name) {
    emit("violation", { name });
    return end(violationCode);
  },
  writeOutput: (stream, bytes) => emit(stream, undefined, bytes),
  always: {
    _Py_CheckEmscriptenSignals_Helper: () => nextSignal,
    emscripten_resize_heap: (original) => (wanted: number) =>
      mayGrowTo(wanted >>> 0) ? original(wanted as never) : 0,
  },
  onceClosed: {
    ...ending(),
    ...refusing(),
    can_run_sync_js: () => 0,
  },
});

if (!options.isCopy) {
  emit("snapshot", undefined, interpreter.makeSnapshot());
  process.exit(0);
}
run(interpreter);

function run({ pyodide, fs, files: memoryFiles, gate }: Interpreter): never {
  files = memoryFiles;
  // Makes the interpreter ask; `nextSignal` is in the place of what would look into the buffer.
  pyodide.setInterruptBuffer(new Uint8Array(1));
  addDevices(fs, {
    input: { read: (target) => (waitForInput(), host.take(target)) },
    pending: { read: (target) => (isBegun && host.poll() ? host.take(target) : 0) },
    output: { write: (bytes) => host.write(bytes) },
    reply: { write: (bytes) => (tellChanges(), host.write(bytes)) },
    sleep: { write: (bytes) => sleep(secondsIn(bytes)) },
    facts: {
      read(target) {
        const text = Buffer.from(JSON.stringify(measure(memoryFiles, heapOf(pyodide))));
        target.set(text);
        return text.length;
      },
    },
    alarm: { write: (bytes) => setAlarm(secondsIn(bytes)) },
    close: {
      write() {
        closeGlobals();
        dropPermissions();
        gate.close();
      },
    },
  });
  try {
    pyodide.runPython("from atoll_guest.wasm.main import main; main()");
  } catch (error) {
    emit("crash", { message: String(error).slice(0, 2000) });
    end(134);
  }
  return end(0);
}

/** The first wait is that of an interpreter which is nobody's yet. */
function waitForInput(): void {
  if (!isBegun) becomeSomebodys();
  if (!host.hasInput) host.wait();
}

/** Takes the files of a sandbox and its limits; what comes after them is for Python. */
function becomeSomebodys(): void {
  const decoder = new FrameDecoder();
  emit("parked");
  while (!isBegun) {
    host.wait();
    for (const { header, body } of decoder.push(host.takeAll())) {
      const { id, method, params } = header as { id: number; method: string; params: object };
      if (method === "watch") continue;
      if (method === "place") files?.place((params as { rows: FileRow[] }).rows, body);
      if (method === "begin") begin(params as Begin);
      host.send({ id, done: null });
      if (isBegun) break;
    }
  }
  host.putBack(decoder.rest());
}

function begin(limits: Begin): void {
  memory.limitBytes = limits.memoryBytes;
  files?.begin(limits);
  isBegun = true;
}

/** Asked by the interpreter every few instructions. */
function nextSignal(): number {
  // Until then nothing that arrives is for Python.
  if (!isBegun) return 0;
  const now = performance.now();
  if (now < signals.lookAt) return 0;
  signals.lookAt = now + lookEveryMs;
  if (now >= signals.alarmAt) {
    signals.alarmAt = Infinity;
    return alarmSignal;
  }
  if (files?.kept.isDirty && now >= signals.tellAt) tellChanges();
  return host.poll() ? arrivedSignal : 0;
}

/** What asks for little may have the last of it, so that code which was refused much can still be told so. */
function mayGrowTo(heapBytes: number): boolean {
  if (memory.limitBytes === Infinity) return true;
  const isLittle = heapBytes - heapOf(interpreter.pyodide) <= littleBytes;
  const limitBytes = memory.limitBytes - (isLittle ? 0 : reservedBytes);
  return heapBytes + (files?.usedBytes ?? 0) <= limitBytes;
}

function sleep(seconds: number): void {
  const until = performance.now() + seconds * 1000;
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
    if (host.poll() || performance.now() >= signals.alarmAt) return;
    host.waitFor(Math.min(left, sleepSliceMs));
  }
}

function setAlarm(seconds: number): void {
  signals.alarmAt = seconds > 0 ? performance.now() + seconds * 1000 : Infinity;
}

/** What a run has done to its files is told now and then, so that its end by force costs little of it. */
function tellChanges(): void {
  const start = performance.now();
  for (const { changes, body } of files?.kept.changes() ?? []) emit("files", { ...changes }, body);
  const now = performance.now();
  signals.tellAt = now + Math.max(tellEveryMs, (now - start) * tellShare);
}

function emit(event: string, data: object = {}, body?: Uint8Array): void {
  host.send({ id: watchId, event, data }, body);
}

/** Files outlive the interpreter, since they are not in its memory. */
function end(code: number): never {
  tellChanges();
  process.exit(code);
}

function measure({ usedBytes, diskBytes }: MemoryFiles, heapBytes: number): object {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, memoryBytes: heapBytes + usedBytes, diskBytes };
}

function heapOf(pyodide: Interpreter["pyodide"]): number {
  return (pyodide as unknown as { _module: { HEAP8: Int8Array } })._module.HEAP8.byteLength;
}

function secondsIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getFloat64(0, true);
}

function ending(): Record<string, (...args: never[]) => unknown> {
  const exit = (code: number) => end(code);
  const abort = () => end(134);
  return { proc_exit: exit, exit, emscripten_force_exit: exit, _abort_js: abort, __assert_fail: abort };
}

/** What has a way to fail does so, as on a machine without network, programs or libraries. */
function refusing(): Record<string, () => number | null> {
  const denied = () => -2;
  const absent = () => -52;
  const calls = [
    "accept4",
    "bind",
    "connect",
    "getpeername",
    "listen",
    "recvfrom",
    "recvmsg",
    "sendmsg",
    "sendto",
    // Without a socket there is nothing to use the others on, but by a forged number.
    "socket",
    "getsockname",
    "getsockopt",
  ];
  // "No socket of mine": the call goes on to the file system.
  const attempts = {
    _maybe_connect_async: null,
    _maybe_poll_async: null,
    _maybe_recvfrom_async: null,
    _maybe_sendto_async: null,
    _try_shutdown: 0,
    _try_fcntl64: 0,
  };
  return {
    ...Object.fromEntries(calls.map((name) => [`__syscall_${name}`, denied])),
    ...Object.fromEntries(Object.entries(attempts).map(([name, answer]) => [name, () => answer])),
    _emscripten_system: absent,
    _setitimer_js: absent,
    getaddrinfo: () => -4,
    getnameinfo: () => -4,
    _emscripten_lookup_name: () => 0,
    _dlopen_js: () => 0,
    _dlsym_js: () => 0,
    _dlsym_catchup_js: () => 0,
    _emscripten_dlopen_js: () => 0,
    emscripten_err: () => 0,
    emscripten_errn: () => 0,
    emscripten_out: () => 0,
    emscripten_outn: () => 0,
    emscripten_console_error: () => 0,
  };
}
