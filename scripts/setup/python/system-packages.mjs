import { join } from "node:path";
import { installWithApt, whyNoApt } from "../apt.mjs";
import { digestFacts } from "../stamp.mjs";
import { findInterpreters, inspectInterpreter } from "./interpreter.mjs";
import { findMissingPackages, PYTHON_PACKAGES } from "./packages.mjs";

const PART = "python";

/**
 * Debian's own Python with Debian's packages.
 * @param {import("../checkout.mjs").Checkout} checkout
 * @param {import("../progress.mjs").Progress} progress
 * @returns {Promise<import("../python.mjs").PythonOutcome | undefined>}
 */
export async function takeFromDebian(checkout, progress) {
  const obstacle = whyNoApt();
  if (obstacle) {
    progress.note(PART, `Debian's packages are no way out either: ${obstacle}`);
    return undefined;
  }
  const packages = PYTHON_PACKAGES.flatMap(({ debian }) => debian ?? []);
  const { failure } = await progress.step(
    PART,
    "installing Debian's Python packages with apt-get, as root",
    (report) => installWithApt(["python3", ...packages], report),
  );
  if (failure) return undefined;
  const interpreter = await inspectInterpreter(checkout.debianPython);
  if (!interpreter?.isFit) return undefined;
  return describeInstalled(checkout, interpreter, "debian");
}

/**
 * The Python of this machine that can import most; nothing is installed.
 * @param {import("../checkout.mjs").Checkout} checkout
 * @returns {Promise<import("../python.mjs").PythonOutcome | undefined>}
 */
export async function takeFromMachine(checkout) {
  /** @type {import("../python.mjs").PythonOutcome | undefined} */
  let best;
  for await (const interpreter of findInterpreters(checkout.debianPython)) {
    if (!interpreter.isFit) continue;
    const outcome = await describeInstalled(checkout, interpreter, "machine");
    if (!best || outcome.missing.length < best.missing.length) best = outcome;
  }
  return best;
}

/**
 * @param {import("../checkout.mjs").Checkout} checkout
 * @param {import("./interpreter.mjs").Interpreter} interpreter
 * @param {"debian" | "machine"} source
 * @returns {Promise<import("../python.mjs").PythonOutcome>}
 */
async function describeInstalled({ cacheDir }, { path, version }, source) {
  const mplConfigDir = join(cacheDir, `mplconfig-${digestFacts({ texts: [path, version] })}`);
  return { python: path, source, missing: await findMissingPackages(path, mplConfigDir), mplConfigDir };
}
