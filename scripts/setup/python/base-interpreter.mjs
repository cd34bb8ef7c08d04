import { installWithApt, whyNoApt } from "../apt.mjs";
import { findInterpreters, inspectInterpreter } from "./interpreter.mjs";

const PART = "python";

/**
 * The Python to make venvs from: the first of the machine that is 3.11 or newer and has venv.
 * @param {import("../checkout.mjs").Checkout} checkout
 * @param {import("../progress.mjs").Progress} progress
 * @returns {Promise<import("./interpreter.mjs").Interpreter | undefined>}
 */
export async function chooseBaseInterpreter({ debianPython }, progress) {
  const asked = process.env["ATOLL_PYTHON_BASE"];
  if (asked && !canMakeVenv(await inspectInterpreter(asked))) {
    progress.note(PART, `ATOLL_PYTHON_BASE=${asked} is not a Python 3.11 or newer with venv; taking another`);
  }
  for await (const interpreter of findInterpreters(debianPython)) {
    if (canMakeVenv(interpreter)) return interpreter;
  }
  return addVenvToDebian(debianPython, progress);
}

/** Debian splits venv off from python3. @param {string} debianPython @param {import("../progress.mjs").Progress} progress */
async function addVenvToDebian(debianPython, progress) {
  const obstacle = whyNoApt();
  if (obstacle) {
    progress.note(PART, `no Python 3.11 or newer with venv here, and none installed, since ${obstacle}`);
    return undefined;
  }
  await progress.step(PART, "installing python3-venv with apt-get, as root", (report) =>
    installWithApt(["python3", "python3-venv"], report),
  );
  const interpreter = await inspectInterpreter(debianPython);
  return canMakeVenv(interpreter) ? interpreter : undefined;
}

/** @param {import("./interpreter.mjs").Interpreter | undefined} interpreter */
function canMakeVenv(interpreter) {
  return interpreter !== undefined && interpreter.isFit && interpreter.hasVenv;
}
