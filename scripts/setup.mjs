#!/usr/bin/env node
// Sets this checkout up: npm packages, the page at /ui, the Python environment, system tools.
// Runs before `npm start`, `npm run dev` (--dev), `npm test` (--test) and `npm run bench` (--bench) on any Node from 20 on,
// with nothing installed. What is in place already is left alone, so a second run takes milliseconds.
import { SetupError } from "./setup/command.mjs";
import { setUpNpm } from "./setup/npm.mjs";
import { setUpBenchPython, setUpPython, setUpTestPython } from "./setup/python.mjs";
import { createProgress } from "./setup/progress.mjs";
import { describeCheckout } from "./setup/checkout.mjs";
import { setUpSystem } from "./setup/system.mjs";
import { setUpWeb } from "./setup/web.mjs";
import { setUpWheels } from "./setup/wheels.mjs";

const USAGE = `usage: node scripts/setup.mjs [--dev] [--test] [--bench] [--force]
  --dev    all but the page, which npm run dev builds itself
  --test   also what the tests want
  --bench  also what the bench compares with
  --force  try again what an earlier run could not get`;

const KNOWN_FLAGS = ["--dev", "--test", "--bench", "--force"];

async function main() {
  const flags = process.argv.slice(2);
  if (flags.some((flag) => !KNOWN_FLAGS.includes(flag))) {
    throw new SetupError(USAGE);
  }
  const progress = createProgress();
  const checkout = describeCheckout({ isForced: flags.includes("--force") });
  /** @type {("start" | "test" | "bench")[]} */
  const purposes = ["start"];
  if (flags.includes("--test")) purposes.push("test");
  if (flags.includes("--bench")) purposes.push("bench");

  const setUpRest = async () => {
    await setUpSystem(checkout, progress, purposes);
    await setUpPython(checkout, progress);
    await setUpWheels(checkout, progress);
    if (purposes.includes("test")) await setUpTestPython(checkout, progress);
    if (purposes.includes("bench")) await setUpBenchPython(checkout, progress);
  };
  // Only the npm packages are indispensable; what else fails is said, and the start goes on.
  const [npm] = await Promise.allSettled([
    setUpNpm(checkout, progress).then(() =>
      flags.includes("--dev") ? undefined : setUpWeb(checkout, progress),
    ),
    setUpRest().catch((error) => progress.warn("python", `not set up: ${error.message}`)),
  ]);
  if (npm.status === "rejected") throw npm.reason;
  progress.finish();
}

main().catch((error) => {
  const isExpected = error instanceof SetupError;
  console.error(
    `atoll set-up failed: ${isExpected ? error.message : `${error?.message ?? error} (an error of the set-up itself)`}`,
  );
  process.exitCode = 1;
});
