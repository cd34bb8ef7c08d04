import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";

/** What the tools go by, in their folder as in the repository. */
const SETTINGS = [".oxfmtrc.json", ".oxlintrc.json", ".editorconfig"];

/**
 * Copies of the files that are about to be committed, as they are staged, in a folder of their own: tools can check
 * and change them there while the working tree, with what is not staged, stays as it is.
 */
export class StagedFiles implements Disposable {
  readonly repository: string;
  readonly folder: string;
  /** Regular files that the commit adds or changes. */
  readonly names: readonly string[];
  readonly #contents: ReadonlyMap<string, Buffer>;

  private constructor(repository: string, folder: string, names: readonly string[]) {
    this.repository = repository;
    this.folder = folder;
    this.names = names;
    this.#contents = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  }

  static read(): StagedFiles {
    const repository = git(process.cwd(), ["rev-parse", "--show-toplevel"]).trim();
    const changed = split(
      git(repository, ["diff", "--cached", "--name-only", "--diff-filter=ACMR", "--no-renames", "-z"]),
    );
    const regular = listRegular(repository);
    const names = changed.filter((name) => regular.has(name));
    const folder = mkdtempSync(join(tmpdir(), "atoll-staged-"));
    const wanted = new Set([...names, ...SETTINGS.filter((name) => regular.has(name))]);
    git(repository, ["checkout-index", "-z", "--stdin", `--prefix=${folder}${sep}`], [...wanted].join("\0"));
    return new StagedFiles(repository, folder, names);
  }

  /** Whether the working tree has a file as it is staged: then a change of it can be staged, too. */
  isWhole(name: string): boolean {
    const path = join(this.repository, name);
    const isThere = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    return isThere && this.#contents.get(name)?.equals(readFileSync(path)) === true;
  }

  /** Why a copy that a tool has changed cannot be written back, one sentence for each. */
  findObstacles(): string[] {
    return this.#changed().flatMap((name) => {
      if (isPathCommit()) return `${name}: not formatted. Run npm run format before \`git commit <path>\``;
      if (this.isWhole(name)) return [];
      return `${name}: not formatted, and staged in part only. Run npm run format, and stage it again`;
    });
  }

  /** Stages what the tools have changed. Gives the names. */
  writeBack(): string[] {
    const names = this.#changed().filter((name) => this.isWhole(name));
    for (const name of names)
      writeFileSync(join(this.repository, name), readFileSync(join(this.folder, name)));
    if (names.length > 0) git(this.repository, ["update-index", "-z", "--stdin"], names.join("\0"));
    return names;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #changed(): string[] {
    return this.names.filter(
      (name) => this.#contents.get(name)?.equals(readFileSync(join(this.folder, name))) === false,
    );
  }
}

/** No links, which would lead out of the folder, and no submodules. */
function listRegular(repository: string): Set<string> {
  const entries = split(git(repository, ["ls-files", "--stage", "-z"]));
  return new Set(
    entries.filter((entry) => entry.startsWith("100")).map((entry) => entry.slice(entry.indexOf("\t") + 1)),
  );
}

/** `git commit <path>` commits another index than the one that stays: what is staged here would be lost in that. */
function isPathCommit(): boolean {
  return basename(process.env["GIT_INDEX_FILE"] ?? "").startsWith("next-index-");
}

function git(cwd: string, args: string[], input = ""): string {
  return execFileSync("git", args, { cwd, input, encoding: "utf8", maxBuffer: 2 ** 28 });
}

function split(output: string): string[] {
  return output.split("\0").filter(Boolean);
}
