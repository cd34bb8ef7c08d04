import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { AtollError } from "./errors.ts";

/** The Python that sandboxes run: made by the set-up, or named by `ATOLL_PYTHON`, `CPYTHON_BIN` or `PYTHON_BIN`. */
export interface PythonEnvironment {
  /** The interpreter to start on the host. */
  readonly executable: string;
  /** Where the interpreter itself is installed; for a virtual environment, the installation it was made from. */
  readonly basePrefix: string;
  readonly baseExecutable: string;
  /** The virtual environment's folder, if it is one. */
  readonly venv: string | undefined;
  readonly version: string;
  readonly missing: readonly string[];
  readonly mplConfigDir: string | undefined;
}

interface SetupOutcome {
  python: string;
  mplConfigDir?: string;
}

const probe = `
import importlib.util, json, os, sys
wanted = ("IPython", "numpy", "pandas", "matplotlib", "cloudpickle", "pyarrow", "scipy", "sklearn", "seaborn", "openpyxl", "pypdf")
print(json.dumps({
    "basePrefix": sys.base_prefix,
    "baseExecutable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "venv": sys.prefix if sys.prefix != sys.base_prefix else None,
    "version": "%d.%d" % sys.version_info[:2],
    "missing": [name for name in wanted if importlib.util.find_spec(name) is None],
}))
`;

const found = new Map<string, Promise<PythonEnvironment>>();
let setupOutcome: Promise<SetupOutcome | undefined> | undefined;

/** Reads what set-up left, and asks each interpreter, once a process. */
export async function findPython(): Promise<PythonEnvironment> {
  setupOutcome ??= readSetupOutcome();
  const outcome = await setupOutcome;
  const { CPYTHON_BIN, PYTHON_BIN } = process.env;
  const named = process.env["ATOLL_PYTHON"] || CPYTHON_BIN || PYTHON_BIN;
  const executable = named || outcome?.python || "python3";
  const known = found.get(executable) ?? inspect(executable, outcome?.mplConfigDir);
  found.set(executable, known);
  known.catch(() => found.delete(executable));
  return known;
}

async function inspect(executable: string, mplConfigDir: string | undefined): Promise<PythonEnvironment> {
  try {
    const { stdout } = await promisify(execFile)(executable, ["-I", "-c", probe]);
    const facts = JSON.parse(stdout) as Omit<PythonEnvironment, "executable" | "mplConfigDir"> & {
      venv: string | null;
    };
    return { executable, mplConfigDir, ...facts, venv: facts.venv ?? undefined };
  } catch (cause) {
    throw new AtollError(
      "runtime_unavailable",
      `${executable} does not run: install Python 3, or run \`npm start\` once`,
      {
        cause,
      },
    );
  }
}

/** Written by `scripts/setup.mjs` at the root of the repository. */
async function readSetupOutcome(): Promise<SetupOutcome | undefined> {
  const root = dirname(dirname(dirname(import.meta.dirname)));
  try {
    return JSON.parse(await readFile(join(root, ".atoll/python.json"), "utf8")) as SetupOutcome;
  } catch {
    return undefined;
  }
}
