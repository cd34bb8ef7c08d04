import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ask } from "./docker-command.ts";

/** The Python packages of a lock file, installed and compiled. */
export interface PythonPackages {
  /** `site-packages` of a virtual environment. */
  readonly folder: string;
  /** As in the path of the folder: `python3.11`. */
  readonly version: string;
  /** Writes the programs they brought, for an environment at another place. */
  stageScripts(folder: string, place: string): Promise<void>;
}

const outcomePath = resolve(import.meta.dirname, "../../.atoll/python.json");

/** The set-up's own Python has a pip of a known age. */
export async function findPython(): Promise<string> {
  const outcome = await readFile(outcomePath, "utf8").catch(() => "{}");
  return (JSON.parse(outcome) as { python?: string }).python ?? "python3";
}

/** Those of the set-up, if they are exactly the lock file's and fit this machine's own `python3`. */
export async function findPythonPackages(lock: string): Promise<PythonPackages | undefined> {
  const python = await findPython();
  const show =
    "import sys, sysconfig; print('python%d.%d' % sys.version_info[:2], sysconfig.get_path('purelib'), sys.prefix != sys.base_prefix)";
  const [own, systems] = await Promise.all([
    ask(python, ["-I", "-c", show]),
    ask("/usr/bin/python3", ["-I", "-c", show]),
  ]);
  const [version, folder, isVenv] = own?.split(" ") ?? [];
  if (!version || !folder || isVenv !== "True" || systems?.split(" ")[0] !== version) return undefined;
  const how = ["--dry-run", "--no-index", "--quiet", "--disable-pip-version-check", "--require-hashes"];
  if ((await ask(python, ["-I", "-m", "pip", "install", ...how, "-r", lock])) === undefined) return undefined;
  return {
    folder,
    version,
    stageScripts: (to, place) => stageScripts(dirname(python), to, place),
  };
}

async function stageScripts(from: string, to: string, place: string): Promise<void> {
  await mkdir(join(to, "bin"), { recursive: true });
  for (const name of await readdir(from)) {
    const text = await readFile(join(from, name), "latin1");
    const [first = ""] = text.split("\n", 1);
    if (!first.startsWith("#!") || !/^python3?(\.\d+)?$/.test(basename(first))) continue;
    const path = join(to, "bin", name);
    await writeFile(path, `#!${place}/bin/python3${text.slice(first.length)}`, "latin1");
    await chmod(path, 0o755);
  }
}
