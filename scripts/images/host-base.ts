import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { runProgram, type RunOptions } from "./docker-command.ts";
import type { HostSystem } from "./host-packages.ts";
import type { PythonPackages } from "./python-packages.ts";

const unneeded = /^\/usr\/share\/(doc|man|locale|info|lintian|bug)\//;
const venv = "opt/venv";
const mergedFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * Makes a base image of the packages that are installed here, without fetching anything, and of Python packages that
 * are there too. Nothing comes along that a package did not bring, no account, no key and no setting of this machine,
 * but the certificates that it trusts.
 */
export async function importHostBase(
  image: string,
  system: HostSystem,
  packages: PythonPackages | undefined,
  options: RunOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-base-"));
  try {
    const staged = join(folder, "staged");
    await stageAccounts(join(staged, "etc"));
    if (packages) await packages.stageScripts(join(staged, venv), `/${venv}`);
    const args = [
      ...tarArguments("/", await writeList(join(folder, "system"), await findFiles(system))),
      ...tarArguments(staged, await writeList(join(folder, "new"), await listFiles(staged))),
    ];
    if (packages) {
      const place = `${venv}/lib/${packages.version}/site-packages`;
      args.push("--transform", `s,^site-packages,${place},rSh`, "--recursion");
      args.push("--directory", dirname(packages.folder), basename(packages.folder));
    }
    const stream = 'image=$1; shift; tar --create "$@" | docker import - "$image"';
    const owner = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,a+rX"];
    await runProgram("bash", ["-o", "pipefail", "-c", stream, "-", image, ...owner, ...args], options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function tarArguments(folder: string, list: string): string[] {
  return ["--no-recursion", "--directory", folder, "--null", "--files-from", list];
}

async function writeList(path: string, files: readonly string[]): Promise<string> {
  await writeFile(path, files.map((file) => `.${file}\0`).join(""));
  return path;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length));
}

export function digestHostBase(system: HostSystem, packages: PythonPackages | undefined): string {
  const facts = [...system.packages, packages?.folder ?? ""];
  return createHash("sha256").update(facts.join("\n")).digest("hex").slice(0, 12);
}

/** Under the names that they have where `/bin` and the like are links to `/usr`. */
async function findFiles(system: HostSystem): Promise<string[]> {
  const found = new Set<string>();
  const folders = new Map<string, Promise<string | undefined>>();
  const resolveFolder = (folder: string) => {
    const known = folders.get(folder) ?? realpath(folder).catch(() => undefined);
    folders.set(folder, known);
    return known;
  };
  const add = async (path: string): Promise<boolean> => {
    const folder = await resolveFolder(dirname(path));
    const place = folder && join(folder, basename(path));
    const facts = place && (await lstat(place).catch(() => undefined));
    if (!facts) return false;
    found.add(place);
    return true;
  };
  for (const path of system.paths) {
    if (unneeded.test(path) || path === "/.") continue;
    if (path.startsWith("/etc/") && !(await isAsItCame(path, system))) continue;
    if (!(await add(path))) continue;
    // Compiled when the package was installed, so not in its list.
    if (path.endsWith(".py")) for (const compiled of await compiledFiles(path)) await add(compiled);
  }
  for (const path of mergedFolders) await add(path);
  for (const path of await findAlternatives(found)) await add(path);
  for (const name of await readdir("/etc/ssl/certs").catch(() => [])) await add(`/etc/ssl/certs/${name}`);
  return [...found].toSorted();
}

async function compiledFiles(path: string): Promise<string[]> {
  const cache = join(dirname(path), "__pycache__");
  const names = await listFolder(cache);
  return names
    .filter((name) => name.startsWith(`${basename(path, ".py")}.cpython-`))
    .map((name) => join(cache, name));
}

const listings = new Map<string, Promise<string[]>>();

function listFolder(folder: string): Promise<string[]> {
  const known = listings.get(folder) ?? readdir(folder).catch(() => []);
  listings.set(folder, known);
  return known;
}

/** Files of /etc may have been written to; folders and links tell nothing. */
async function isAsItCame(path: string, { pristineSettings }: HostSystem): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts?.isFile()) return facts !== undefined;
  const digest = createHash("md5").update(await readFile(path));
  return digest.digest("hex") === pristineSettings.get(path);
}

/** Names such as `awk`, which lead to a program of one package or another. */
async function findAlternatives(files: ReadonlySet<string>): Promise<string[]> {
  const links = "/etc/alternatives";
  const found: string[] = [];
  for (const name of await readdir(links).catch(() => [])) {
    const target = await realpath(join(links, name)).catch(() => undefined);
    if (!target || !files.has(target) || unneeded.test(target)) continue;
    const notes = await readFile(join("/var/lib/dpkg/alternatives", name), "utf8").catch(() => "");
    const [, publicName] = notes.split("\n");
    if (publicName?.startsWith("/")) found.push(join(links, name), publicName);
  }
  return found;
}

/** Accounts as on a new system, and how names are looked up. */
async function stageAccounts(etc: string): Promise<void> {
  await mkdir(etc, { recursive: true });
  const masters = {
    passwd: "/usr/share/base-passwd/passwd.master",
    group: "/usr/share/base-passwd/group.master",
    "nsswitch.conf": "/usr/share/libc-bin/nsswitch.conf",
  };
  for (const [name, source] of Object.entries(masters))
    await writeFile(join(etc, name), await readFile(source));
}
