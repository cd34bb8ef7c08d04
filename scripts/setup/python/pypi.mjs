import { join } from "node:path";
import { formatPath } from "../progress.mjs";
import { digestFacts } from "../stamp.mjs";
import { chooseBaseInterpreter } from "./base-interpreter.mjs";
import { inspectInterpreter } from "./interpreter.mjs";
import { findMissingPackages } from "./packages.mjs";
import { buildVenv, isVenvComplete } from "./venv.mjs";

const PART = "python";

/**
 * The locked packages from the Python package index, in a venv of the cache.
 * @param {import("../checkout.mjs").Checkout} checkout
 * @param {import("../progress.mjs").Progress} progress
 * @returns {Promise<import("../python.mjs").PythonOutcome | undefined>}
 */
export async function takeFromPyPI(checkout, progress) {
  const interpreter = await chooseBaseInterpreter(checkout, progress);
  if (!interpreter) return undefined;
  const lockFile = join(checkout.root, "python/requirements.lock");
  const venvDir = await ensureVenv({
    checkout,
    progress,
    interpreter,
    lockFile,
    prefix: "python",
    findMissing: (python, buildDir) => findMissingPackages(python, join(buildDir, "mplconfig")),
  });
  return venvDir
    ? {
        python: join(venvDir, "bin/python3"),
        source: "pypi",
        missing: [],
        mplConfigDir: join(venvDir, "mplconfig"),
      }
    : undefined;
}

/**
 * A further, small venv with what only the bench or only the tests need.
 * @param {import("../checkout.mjs").Checkout} checkout
 * @param {import("../progress.mjs").Progress} progress
 * @param {object} extra
 * @param {string} extra.name  Of its lock file.
 * @param {string} extra.python  The python of the first venv.
 * @param {boolean} [extra.isBorrowing]  It can import the packages of the first venv too.
 * @returns {Promise<string | undefined>} its python
 */
export async function takeExtraFromPyPI(checkout, progress, { name, python, isBorrowing = false }) {
  const interpreter = await inspectInterpreter(python);
  if (!interpreter) return undefined;
  const venvDir = await ensureVenv({
    checkout,
    progress,
    interpreter,
    lockFile: join(checkout.root, `python/${name}.lock`),
    prefix: name,
    ...(isBorrowing && { borrowedFrom: join(python, "../..") }),
  });
  return venvDir && join(venvDir, "bin/python3");
}

/**
 * @param {object} options
 * @param {import("../checkout.mjs").Checkout} options.checkout
 * @param {import("../progress.mjs").Progress} options.progress
 * @param {import("./interpreter.mjs").Interpreter} options.interpreter
 * @param {string} options.lockFile
 * @param {string} options.prefix
 * @param {string} [options.borrowedFrom]
 * @param {(python: string, venvDir: string) => Promise<string[]>} [options.findMissing]
 * @returns {Promise<string | undefined>}
 */
async function ensureVenv({ checkout, progress, interpreter, lockFile, prefix, ...rest }) {
  const digest = digestFacts({
    texts: [interpreter.path, interpreter.version, rest.borrowedFrom],
    files: [lockFile],
  });
  const venvDir = join(checkout.cacheDir, `${prefix}-${digest}`);
  if (isVenvComplete(venvDir)) return venvDir;
  const title = `Python ${interpreter.version}, locked packages from PyPI into ${formatPath(venvDir)}`;
  const { failure } = await progress.step(PART, title, (report) =>
    buildVenv({ interpreter, lockFile, venvDir, report, ...rest }),
  );
  return failure ? undefined : venvDir;
}
