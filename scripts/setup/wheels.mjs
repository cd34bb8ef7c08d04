import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { digestFacts, readJson, readStamp, writeStamp } from "./stamp.mjs";

const PART = "wheels";

/** Says which modules the wheels of a folder have, for whoever does not want to open them. */
const INDEX = `
import json, pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
modules = {}
for wheel in sorted(folder.glob("*.whl")):
    tops = {name.split("/")[0].removesuffix(".py") for name in zipfile.ZipFile(wheel).namelist()}
    modules[wheel.name] = sorted(top for top in tops if top.isidentifier())
(folder / "index.json").write_text(json.dumps(modules))
`;

/**
 * Packages for Python in WebAssembly, in `.atoll/wheels`: those of python/pyodide.lock, checked by their hashes. Without
 * them that runtime has its standard library.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpWheels(checkout, progress) {
  const lockFile = join(checkout.root, "python/pyodide.lock");
  const folder = join(checkout.stateDir, "wheels");
  const python = readJson(join(checkout.stateDir, "python.json"))?.["python"];
  const digest = digestFacts({ files: [lockFile] });
  const isThere = () =>
    readStamp(checkout.stateDir, "wheels", digest) !== undefined && existsSync(join(folder, "index.json"));
  if (isThere() || typeof python !== "string") return;
  await withLock(
    `wheels ${checkout.root}`,
    async () => {
      if (isThere()) return;
      const { failure } = await progress.step(PART, "fetching packages for Python in WebAssembly", () =>
        fetchWheels(python, lockFile, folder),
      );
      if (failure === undefined) writeStamp(checkout.stateDir, "wheels", digest);
      else
        progress.warn(
          PART,
          `not fetched, so runtime pyodide has the standard library only: ${failure}. Try again: npm run setup`,
        );
    },
    (seconds) => progress.note(PART, `another set-up is fetching them; waiting (${seconds} s)`),
  );
}

/** @param {string} python @param {string} lockFile @param {string} folder @returns {Promise<{ failure?: string }>} */
async function fetchWheels(python, lockFile, folder) {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const download = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
  const chosen = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--require-hashes"];
  const commands = [
    [...download, ...chosen, "--requirement", lockFile, "--dest", fresh],
    ["-c", INDEX, fresh],
  ];
  for (const args of commands) {
    const { exitCode, output } = await runCommand(python, args);
    if (exitCode !== 0) return { failure: lastLine(output) || `pip ended with ${exitCode}` };
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return {};
}
