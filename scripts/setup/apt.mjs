import { findProgram, lastLine, runCommand } from "./command.mjs";
import { withLock } from "./lock.mjs";

/** Why packages cannot be installed with apt here, or undefined when they can. @returns {string | undefined} */
export function whyNoApt() {
  if (process.env["ATOLL_NO_APT"]) return "ATOLL_NO_APT is set";
  if (!isDebian()) return "this is not Debian or Ubuntu";
  if (process.getuid?.() !== 0) return "set-up does not run as root";
  return undefined;
}

/** What a person does to get the same, in one line. @param {string[]} packages */
export function adviseInstall(packages) {
  return isDebian()
    ? `Run: sudo apt-get install -y ${packages.join(" ")}`
    : `Install ${packages.join(", ")} with the system's package manager`;
}

/**
 * Installs Debian packages; where the package lists are absent or old, fetches them and tries once more.
 * @param {string[]} packages
 * @param {(counter: string) => void} report
 * @returns {Promise<{ failure?: string }>}
 */
export function installWithApt(packages, report) {
  return withLock("apt", () => install(packages, report));
}

/** @param {string[]} packages @param {(counter: string) => void} report */
async function install(packages, report) {
  const first = await aptGet(["install", "--no-install-recommends", ...packages], report);
  if (first.exitCode === 0) return {};
  report("fetching the package lists");
  const update = await aptGet(["update"], () => {});
  const second =
    update.exitCode === 0
      ? await aptGet(["install", "--no-install-recommends", ...packages], report)
      : update;
  return second.exitCode === 0 ? {} : { failure: `apt-get failed: ${describeAptError(second.output)}` };
}

function isDebian() {
  return findProgram("apt-get") !== undefined;
}

/** @param {string[]} args @param {(counter: string) => void} report */
function aptGet(args, report) {
  const limits = [
    "Acquire::Retries=1",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
    "DPkg::Lock::Timeout=120",
  ];
  let total = 0;
  let fetched = 0;
  let unpacked = 0;
  let configured = 0;
  return runCommand("apt-get", ["-y", "-q", ...limits.flatMap((limit) => ["-o", limit]), ...args], {
    env: { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" },
    onLine(line) {
      total = Number(/(\d+) newly installed/.exec(line)?.[1] ?? total);
      if (line.startsWith("Get:")) report(`${++fetched} of ${total} packages fetched`);
      if (line.startsWith("Unpacking ")) report(`${++unpacked} of ${total} packages unpacked`);
      if (line.startsWith("Setting up ")) report(`${++configured} of ${total} packages installed`);
    },
  });
}

/** @param {string} output */
function describeAptError(output) {
  const error = output.split("\n").find((line) => line.startsWith("E: "));
  return (error ?? lastLine(output)).replace(/^E: /, "");
}
