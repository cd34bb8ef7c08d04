import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { type Base, type BaseOptions, provideBase } from "./base.ts";
import { ask, runProgram } from "./docker-command.ts";
import { findPython } from "./python-packages.ts";
import { readTemplate, type Template } from "./template.ts";

const root = resolve(import.meta.dirname, "../..");
const digestLabel = "dev.atoll.template-digest";

export interface BuildOptions extends BaseOptions {
  /** Builds from this image, whatever the template says. */
  readonly base?: string | undefined;
}

/** Builds a template's image, unless the engine has it as it would come out. Gives the image's name. */
export async function buildTemplate(name: string, options: BuildOptions): Promise<string> {
  const template = await readTemplate(name);
  const image = `${template.image}:latest`;
  const digest = await digestTemplate(template, options.base);
  const isBuilt = async () => (await readDigest(image, options)) === digest;
  if (await isBuilt()) return image;
  // Of several who want it at once one builds it.
  const lock = `image ${image} ${(options.env ?? process.env)["DOCKER_HOST"] ?? ""}`;
  await withLock(lock, async () => {
    if (!(await isBuilt())) await build(template, image, digest, options);
  });
  return image;
}

async function build(
  template: Template,
  image: string,
  digest: string,
  options: BuildOptions,
): Promise<void> {
  const base = options.base
    ? { image: options.base, isLocal: false, hasPackages: false }
    : await provideBase(template, options);
  options.say(`building ${image} from ${base.image}`);
  const context = await mkdtemp(join(tmpdir(), "atoll-image-"));
  try {
    await fillContext(template, base, context, options);
    const names = ["--tag", image, "--label", `${digestLabel}=${digest}`];
    // The engine may have no network of its own to give.
    const network = ["--network", base.isLocal ? "none" : "host"];
    const args = ["build", ...names, ...network, "--build-arg", `BASE=${base.image}`, context];
    await runProgram("docker", args, {
      ...options,
      env: { ...(options.env ?? process.env), DOCKER_BUILDKIT: "0" },
    });
    // The one before, which has lost its name to this one.
    const outdated = ["--force", "--filter", `label=${digestLabel}`];
    await ask("docker", ["image", "prune", ...outdated], options.env);
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function readDigest(image: string, { env }: BuildOptions): Promise<string | undefined> {
  return ask(
    "docker",
    ["image", "inspect", "--format", `{{index .Config.Labels "${digestLabel}"}}`, image],
    env,
  );
}

/** By all that goes into the image. */
async function digestTemplate(template: Template, base: string | undefined): Promise<string> {
  const hash = createHash("sha256").update(base ?? "");
  for (const name of (await readdir(template.folder)).toSorted())
    hash.update(name).update(await readFile(join(template.folder, name)));
  if (template.requirements === undefined) return hash.digest("hex");
  hash.update(await readFile(join(root, template.requirements)));
  return hash.update(await readFile(join(nodePackage, "package.json"))).digest("hex");
}

/** The Node.js that this checkout runs on: one file, which needs nothing but the C and C++ libraries. */
const nodePackage = join(root, "node_modules/node");

async function fillContext(
  template: Template,
  base: Base,
  context: string,
  options: BuildOptions,
): Promise<void> {
  for (const name of await readdir(template.folder))
    await copyFile(join(template.folder, name), join(context, name));
  if (template.requirements === undefined) return;
  await mkdir(join(context, "programs"));
  await copyFile(join(nodePackage, "bin/node"), join(context, "programs/node"), constants.COPYFILE_FICLONE);
  await mkdir(join(context, "build"));
  const lock = join(context, "build/requirements.lock");
  await copyFile(join(root, template.requirements), lock);
  if (!base.isLocal || base.hasPackages) return;
  options.say("fetching the Python packages");
  const version = await ask(
    "docker",
    [
      "run",
      "--rm",
      "--network",
      "none",
      base.image,
      "python3",
      "-c",
      "import sys; print('%d.%d' % sys.version_info[:2])",
    ],
    options.env,
  );
  if (version === undefined) throw new Error(`${base.image} has no python3 that runs`);
  const wheels = join(context, "build/wheels");
  await mkdir(wheels);
  const platforms = ["manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28"].flatMap(
    (name) => ["--platform", `${name}_${process.arch === "arm64" ? "aarch64" : "x86_64"}`],
  );
  const target = ["--python-version", version, "--implementation", "cp", ...platforms];
  const how = ["--quiet", "--only-binary", ":all:", "--require-hashes", "--dest", wheels];
  await runProgram(await findPython(), ["-m", "pip", "download", ...how, ...target, "-r", lock], options);
}
