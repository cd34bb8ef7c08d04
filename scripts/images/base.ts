import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ask, runProgram, type RunOptions } from "./docker-command.ts";
import { digestHostBase, importHostBase } from "./host-base.ts";
import { findHostSystem } from "./host-packages.ts";
import { findPythonPackages } from "./python-packages.ts";
import type { Template } from "./template.ts";

const root = resolve(import.meta.dirname, "../..");

export interface Base {
  readonly image: string;
  /** Without a registry there is no index for the build either: the host fetches the packages. */
  readonly isLocal: boolean;
  /** It has the template's Python packages already. */
  readonly hasPackages: boolean;
}

export interface BaseOptions extends RunOptions {
  readonly say: (text: string) => void;
  /** Asks no registry: what is at hand is sooner there. */
  readonly isQuick?: boolean | undefined;
}

/** The image a template is built from: one that is there, one that a registry has, or one made here of Debian's packages. */
export async function provideBase(template: Template, options: BaseOptions): Promise<Base> {
  const { base } = template;
  const local = async () =>
    (await provideHostBase(template, options)) ?? (await provideBootstrapped(template, options));
  if (options.isQuick) return local();
  const fromRegistry = { image: base, isLocal: false, hasPackages: false };
  if (await isThere(base, options.env)) return fromRegistry;
  options.say(`asking the registry for ${base}`);
  if ((await ask("docker", ["pull", "--quiet", base], options.env)) !== undefined) return fromRegistry;
  options.say(`no registry has ${base}`);
  return local();
}

/** Of what is installed on this machine, if it is Debian and has all of it. */
async function provideHostBase(template: Template, options: BaseOptions): Promise<Base | undefined> {
  const system = await findHostSystem(template.localBase);
  if (!system) return undefined;
  const { requirements } = template;
  const packages =
    requirements === undefined ? undefined : await findPythonPackages(join(root, requirements));
  const image = `atoll/base:host-${digestHostBase(system, packages)}`;
  if (!(await isThere(image, options.env))) {
    options.say(`making ${image} of this machine's own packages`);
    await importHostBase(image, system, packages, options);
  }
  return { image, isLocal: true, hasPackages: packages !== undefined };
}

async function provideBootstrapped({ localBase }: Template, options: BaseOptions): Promise<Base> {
  const suite = await findSuite();
  const digest = createHash("sha256").update(localBase.join("\n")).digest("hex").slice(0, 12);
  const image = `atoll/base:${suite}-${digest}`;
  if (!(await isThere(image, options.env))) {
    options.say(`making ${image} with debootstrap`);
    await bootstrap(image, suite, localBase, options);
  }
  return { image, isLocal: true, hasPackages: false };
}

async function isThere(image: string, env: NodeJS.ProcessEnv | undefined): Promise<boolean> {
  return (await ask("docker", ["image", "inspect", "--format", "{{.Id}}", image], env)) !== undefined;
}

async function bootstrap(
  image: string,
  suite: string,
  packages: readonly string[],
  options: RunOptions,
): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("no registry can be reached, and only root can make a base image");
  const folder = await mkdtemp(join(tmpdir(), "atoll-base-"));
  try {
    const [root, archive] = [join(folder, "root"), join(folder, "root.tar")];
    const mirror = await findMirror(suite);
    const all = await resolvePackages(packages);
    const args = ["--variant=minbase", `--include=${all.join(",")}`, suite, root];
    await runProgram("debootstrap", [...args, ...(mirror ? [mirror] : [])], options);
    const excluded = [
      "./var/cache/apt",
      "./var/lib/apt/lists",
      "./usr/share/doc",
      "./usr/share/locale",
      "./usr/share/man",
    ];
    await runProgram(
      "tar",
      ["-C", root, ...excluded.map((path) => `--exclude=${path}/*`), "-cf", archive, "."],
      options,
    );
    await runProgram("docker", ["import", archive, image], options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** With all that they need: debootstrap itself does not know which package stands for a need that several can meet. */
async function resolvePackages(packages: readonly string[]): Promise<readonly string[]> {
  const fromNothing = ["--simulate", "--no-install-recommends", "-o", "Dir::State::status=/dev/null"];
  const plan = (await ask("apt-get", ["install", ...fromNothing, ...packages])) ?? "";
  const resolved = Array.from(plan.matchAll(/^Inst (\S+)/gm), ([, name = ""]) => name);
  return resolved.length > 0 ? resolved : packages;
}

async function findSuite(): Promise<string> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  return /^ID=debian$/m.test(release) && codename ? codename : "bookworm";
}

/** Where this machine's apt has the suite from; undefined leaves the choice to debootstrap. */
async function findMirror(suite: string): Promise<string | undefined> {
  const format = ["--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"];
  const listed = (await ask("apt-get", ["indextargets", ...format])) ?? "";
  return listed
    .split("\n")
    .find((line) => line.endsWith(` ${suite} main`))
    ?.split(" ")[0];
}
