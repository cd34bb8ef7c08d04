import { constants, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as Pyodide from "pyodide";
import { type Gate, installGate, type Replacements } from "./import-gate.ts";
import type { EmscriptenFS } from "./emscripten.ts";
import { MemoryFiles } from "./memory-files.ts";
import { guestPath, placeGuest, placeWheels } from "./sources.ts";

const memoryDescriptor = 5;

export interface InterpreterOptions {
  /** The folder of the npm package `pyodide`, or of another copy of it. */
  readonly assets: string;
  /** The folder of the Python package `atoll_guest`. */
  readonly guest: string;
  readonly wheels: readonly string[];
  /** Begins with the memory of an interpreter that has started once. Else it starts from nothing, so as to give its own. */
  readonly isCopy: boolean;
}

export interface Interpreter {
  readonly pyodide: Pyodide.PyodideAPI;
  readonly fs: EmscriptenFS;
  readonly files: MemoryFiles;
  readonly gate: Gate;
  makeSnapshot(): Uint8Array;
}

/** What the interpreter needs of its surroundings once it runs. */
export interface Surroundings extends Replacements {
  onViolation(name: string): never;
  writeOutput(stream: "stdout" | "stderr", bytes: Uint8Array): void;
}

/** Starts Pyodide behind the gate, which is still open. */
export async function startInterpreter(
  options: InterpreterOptions,
  surroundings: Surroundings,
): Promise<Interpreter> {
  hideHost();
  const gate = installGate(surroundings, surroundings.onViolation);
  const { loadPyodide } = (await import(join(options.assets, "pyodide.mjs"))) as typeof Pyodide;
  const { isCopy } = options;
  const hidden = isCopy ? { _loadSnapshot: readFileSync(memoryDescriptor) } : { _makeSnapshot: true };
  const pyodide = await loadPyodide({
    indexURL: options.assets,
    env: { HOME: "/workspace", PATH: "/", LANG: "C.UTF-8", PYTHONDONTWRITEBYTECODE: "1" },
    ...(hidden as object),
  });
  const output = (stream: "stdout" | "stderr") => ({
    isatty: false,
    write(bytes: Uint8Array) {
      surroundings.writeOutput(stream, bytes);
      return bytes.length;
    },
  });
  pyodide.setStdin({ stdin: () => null });
  pyodide.setStdout(output("stdout"));
  pyodide.setStderr(output("stderr"));
  const fs = pyodide.FS as unknown as EmscriptenFS;
  placeGuest(fs, options.guest);
  const wheels = placeWheels(fs, options.wheels);
  if (!isCopy)
    pyodide.runPython(
      `import sys; sys.path[:] = ["${guestPath}", *sys.path, *${JSON.stringify(wheels)}]; from atoll_guest.wasm import main; main.prepare()`,
    );
  const { makeMemorySnapshot } = pyodide as unknown as { makeMemorySnapshot(): Uint8Array };
  return {
    pyodide,
    fs,
    gate,
    get files() {
      return new MemoryFiles(fs, pyodide.ERRNO_CODES as Record<string, number>);
    },
    makeSnapshot: () => makeMemorySnapshot(),
  };
}

/** What Emscripten would look up, in a form that says nothing of this machine. */
function hideHost(): void {
  process.argv[1] = "python";
  // It only wants the numbers of the flags; under the permission model there is no such function.
  Object.assign(process, { binding: () => ({ fs: constants }) });
}
