import { existsSync } from "node:fs";
import { join } from "node:path";
import { adviseInstall, installWithApt, whyNoApt } from "./apt.mjs";
import { findProgram } from "./command.mjs";
import { digestFacts, readStamp, writeStamp } from "./stamp.mjs";

const PART = "system";

/**
 * Programs that come from the system. A row is wanted when set-up runs for one of its purposes.
 * `docker` may be a client only, hence `dockerd`. What is no program is a font: any one of these files.
 * @typedef {{ package: string, provides: string | string[], for: ("start" | "test" | "bench")[], wantedBy: string }} SystemTool
 * @type {SystemTool[]}
 */
const SYSTEM_TOOLS = [
  {
    package: "chromium",
    provides: "chromium",
    for: ["test"],
    wantedBy: "the tests of the page at /ui",
  },
  {
    package: "redis-server",
    provides: "redis-server",
    for: ["test"],
    wantedBy: "the tests of the shared queue",
  },
  {
    package: "postgresql",
    provides: "pg_ctlcluster",
    for: ["test"],
    wantedBy: "the tests of the store that several servers share",
  },
  { package: "bubblewrap", provides: "bwrap", for: ["start"], wantedBy: "the jail of the local driver" },
  {
    package: "fonts-wqy-microhei",
    provides: [
      "truetype/wqy/wqy-microhei.ttc",
      "opentype/noto/NotoSansCJK-Regular.ttc",
      "truetype/wqy/wqy-zenhei.ttc",
      "truetype/droid/DroidSansFallbackFull.ttf",
    ],
    for: ["start"],
    wantedBy: "Chinese, Japanese and Korean in plots",
  },
  {
    package: "fonts-liberation",
    provides: ["truetype/liberation/LiberationSans-Regular.ttf"],
    for: ["test"],
    wantedBy: "the image with a browser, which is made of this machine's packages",
  },
  {
    package: "docker.io",
    provides: "dockerd",
    for: ["test", "bench"],
    wantedBy: "the docker driver's tests and the bench's comparison with docker run",
  },
  {
    package: "debootstrap",
    provides: "debootstrap",
    for: ["test", "bench"],
    wantedBy: "the image of those containers where neither a registry nor this machine has what is in it",
  },
  { package: "runsc", provides: "runsc", for: ["bench"], wantedBy: "the tests of containers under gVisor" },
];

/**
 * Installs the tools that are absent, as root on Debian; elsewhere prints the one command to run.
 * Nothing here stops a start: what needs a missing tool says so itself.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 * @param {("start" | "test" | "bench")[]} purposes
 */
export async function setUpSystem(checkout, progress, purposes) {
  if (process.platform !== "linux") return;
  const absent = findAbsentTools(checkout, purposes);
  if (absent.length === 0) return;
  const packages = absent.map((tool) => tool.package);
  const digest = digestFacts({ texts: packages });
  const obstacle = whyNoApt() ?? earlierFailure(checkout, digest);
  if (obstacle) return warnAbsent(absent, obstacle, progress);

  const title = `installing ${packages.join(", ")} with apt-get, as root`;
  const { failure } = await progress.step(PART, title, (report) => installWithApt(packages, report));
  if (!failure) return;
  writeStamp(checkout.stateDir, "system", digest, { failure });
  warnAbsent(absent, failure, progress);
}

/** @param {import("./checkout.mjs").Checkout} checkout @param {("start" | "test" | "bench")[]} purposes */
function findAbsentTools({ fontsDir }, purposes) {
  const path = `${process.env["PATH"] ?? ""}:/usr/local/sbin:/usr/sbin:/sbin`;
  /** @param {SystemTool} tool */
  const isThere = ({ provides }) =>
    typeof provides === "string"
      ? findProgram(provides, path) !== undefined
      : provides.some((file) => existsSync(join(fontsDir, file)));
  return SYSTEM_TOOLS.filter(
    (tool) => tool.for.some((purpose) => purposes.includes(purpose)) && !isThere(tool),
  );
}

/** An install that failed is not tried again on every start. @param {import("./checkout.mjs").Checkout} checkout @param {string} digest */
function earlierFailure({ stateDir, isForced }, digest) {
  const stamp = isForced ? undefined : readStamp(stateDir, "system", digest);
  return stamp ? `${stamp["failure"]} (npm run setup -- --force tries again)` : undefined;
}

/** @param {SystemTool[]} absent @param {string} obstacle @param {import("./progress.mjs").Progress} progress */
function warnAbsent(absent, obstacle, progress) {
  const wanted = absent
    .map(
      (tool) => `${typeof tool.provides === "string" ? tool.provides : tool.package} (for ${tool.wantedBy})`,
    )
    .join(", ");
  const advice = adviseInstall(absent.map((tool) => tool.package));
  progress.warn(PART, `missing ${wanted}; not installed, since ${obstacle}. ${advice}`);
}
