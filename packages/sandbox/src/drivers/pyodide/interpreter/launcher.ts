import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findBubblewrap, jailOwner } from "../../local/requirements.ts";
import type { Owner } from "../../_shared/layout.ts";
import { type Assets, findAssets } from "../distribution/assets.ts";
import { fetchDistribution } from "../distribution/distribution.ts";

/** How the process of a sandbox is started on this machine. */
export interface Launcher {
  readonly assets: Assets;
  /** A second boundary around the one that the process has itself. */
  readonly isInJail: boolean;
  readonly owner: Owner | undefined;
  command(nodeArguments: readonly string[], readable: readonly string[]): { file: string; args: string[] };
}

const heapMiB = 512;
/** Less than the 8 MiB that a process usually has. */
const stackKiB = 6000;

let found: Promise<Launcher> | undefined;

/** The strongest that works here: in bubblewrap and as a user of its own, if there are such. Tried once. */
export function findLauncher(): Promise<Launcher> {
  found ??= chooseLauncher();
  found.catch(() => (found = undefined));
  return found;
}

async function chooseLauncher(): Promise<Launcher> {
  await fetchDistribution();
  const assets = findAssets();
  const bubblewrap = process.platform === "linux" ? await findBubblewrap() : undefined;
  const owners = [jailOwner(), undefined];
  const candidates = [bubblewrap, undefined].flatMap((jail) =>
    owners.map((owner) => makeLauncher(assets, jail, owner)),
  );
  for (const candidate of candidates) if (await works(candidate)) return candidate;
  throw new Error("Node cannot be started with its permission model");
}

function makeLauncher(assets: Assets, bubblewrap: string | undefined, owner: Owner | undefined): Launcher {
  return {
    assets,
    isInJail: bubblewrap !== undefined,
    owner,
    command(nodeArguments, readable) {
      const allowed = readable.map((path) => `--allow-fs-read=${path}`);
      const args = [...permissionFlags, ...allowed, ...nodeArguments];
      if (!bubblewrap) return { file: assets.node, args };
      const binds = readable.flatMap((path) => ["--ro-bind", path, path]);
      const node = ["--ro-bind", assets.node, assets.node];
      return { file: bubblewrap, args: [...jailFlags, ...node, ...binds, "--", assets.node, ...args] };
    },
  };
}

const permissionFlags = [
  "--permission",
  "--disallow-code-generation-from-strings",
  `--max-old-space-size=${heapMiB}`,
  // Python counts the depth of its own stack, and has to be stopped by that and not by the stack around it.
  `--stack-size=${stackKiB}`,
  "--no-warnings",
];

const libraryFolders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
const jailFlags = [
  ["--unshare-all", "--die-with-parent", "--as-pid-1", "--clearenv", "--cap-drop", "ALL"],
  ["--hostname", "atoll", "--dev", "/dev", "--chdir", "/"],
  // What Node itself is linked with.
  libraryFolders.flatMap((folder) => ["--ro-bind-try", folder, folder]),
  ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"],
].flat();

async function works(launcher: Launcher): Promise<boolean> {
  const { assets, owner } = launcher;
  const wheels = assets.wheels.map(({ path }) => path);
  const readable = [...assets.sources, assets.pyodide, assets.guest, ...wheels];
  const look = `const fs = require("node:fs"); for (const path of ${JSON.stringify(readable)}) fs.accessSync(path, 4)`;
  const { file, args } = launcher.command(["--eval", look], readable);
  // Under the flag that forbids code from strings there is no --eval.
  const checked = args.filter((flag) => flag !== "--disallow-code-generation-from-strings");
  return promisify(execFile)(file, checked, { ...owner, env: {} }).then(
    () => true,
    () => false,
  );
}
