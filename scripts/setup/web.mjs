import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { digestFacts, readStamp, writeStamp } from "./stamp.mjs";

const PART = "page";
/** What the page is built from: the packages that web may import, and itself. */
const PACKAGES = ["web", "client", "protocol", "std"];

/**
 * Builds the page at /ui, with the pinned Node and the packages in place. A build that fails stops no start: the server
 * works without its page, and says at /ui how to get it.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpWeb(checkout, progress) {
  const webDir = join(checkout.root, "packages/web");
  const digest = digestFacts({ files: listSources(checkout.root) });
  const isBuilt = () =>
    readStamp(checkout.stateDir, "web", digest) !== undefined && existsSync(join(webDir, "dist/index.html"));
  if (isBuilt()) return;
  await withLock(
    `web ${checkout.root}`,
    async () => {
      if (isBuilt()) return;
      const { failure } = await progress.step(PART, "building the page at /ui", () =>
        build(checkout.root, webDir),
      );
      if (failure === undefined) writeStamp(checkout.stateDir, "web", digest);
      else progress.warn(PART, `not built, so /ui is empty or old: ${failure}. Try again: npm run setup`);
    },
    (seconds) => progress.note(PART, `another set-up is building it; waiting (${seconds} s)`),
  );
}

/** Everything that decides what is built. @param {string} root */
function listSources(root) {
  const below = PACKAGES.map((name) => `packages/${name}/src`).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const single = ["index.html", "chart.html", "html.html", "vite.config.ts", "package.json", "tsconfig.json"];
  return [
    ...below.toSorted(),
    ...single.map((name) => join(root, "packages/web", name)),
    join(root, "package-lock.json"),
  ];
}

/**
 * Beside the old one and then put in its place: who stops it half-way keeps a page that works.
 * @param {string} root @param {string} webDir @returns {Promise<{ failure?: string }>}
 */
async function build(root, webDir) {
  const newDir = join(webDir, "dist.new");
  const node = join(root, "node_modules/.bin/node");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--outDir", newDir, "--emptyOutDir", "--logLevel", "error"];
  const { exitCode, output } = await runCommand(node, args, { cwd: webDir, env: { NODE_ENV: "production" } });
  if (exitCode !== 0) return { failure: lastLine(output) || `vite ended with ${exitCode}` };
  rmSync(join(webDir, "dist"), { recursive: true, force: true });
  renameSync(newDir, join(webDir, "dist"));
  return {};
}
