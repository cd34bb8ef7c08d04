import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { progress } from "../progress.ts";
import { type Engine, engineFolder } from "./engine.ts";

const run = promisify(execFile);

/** Debian's own Python and pandas: no registry is needed. Made once; then the engine has it. */
export async function provideImage(engine: Engine, signal: AbortSignal): Promise<string> {
  const suite = await findSuite();
  const image = `atoll-bench-pandas:${suite}`;
  const isThere = await run("docker", ["image", "inspect", image], { env: engine.env }).then(
    () => true,
    () => false,
  );
  if (!isThere) await buildImage(engine, image, suite, signal);
  return image;
}

async function buildImage(engine: Engine, image: string, suite: string, signal: AbortSignal): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error(`the image ${image} is not there, and only root can build it`);
  progress.note(`docker: building the image ${image} with debootstrap; this takes minutes, once`);
  await mkdir(engineFolder(), { recursive: true });
  const folder = await mkdtemp(join(engineFolder(), "image-"));
  try {
    const root = join(folder, "root");
    const archive = join(folder, "root.tar");
    await bootstrap(root, suite, engine.env, signal);
    await run(
      "tar",
      ["-C", root, "--exclude=./var/cache/apt", "--exclude=./var/lib/apt/lists", "-cf", archive, "."],
      { signal },
    );
    await run("docker", ["import", archive, image], { env: engine.env, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bootstrap(
  root: string,
  suite: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const mirror = await findMirror(suite);
  const args = ["--variant=minbase", "--include=python3-pandas", suite, root, ...(mirror ? [mirror] : [])];
  const child = spawn("debootstrap", args, { env, signal, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  let last = "it did not start";
  const watching = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      last = line.replace(/^[IWE]: /, "");
      progress.update(`docker: ${last}`);
    }
  })();
  const [[code]] = (await Promise.all([ended, watching])) as [[number | null], void];
  if (code !== 0) throw new Error(`debootstrap ended with ${code}: ${last}`);
}

async function findSuite(): Promise<string> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  return /^ID=debian$/m.test(release) && codename ? codename : "bookworm";
}

/** Where this machine's apt has the suite from; undefined leaves the choice to debootstrap. */
async function findMirror(suite: string): Promise<string | undefined> {
  const format = ["--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages"];
  const { stdout } = await run("apt-get", ["indextargets", ...format]).catch(() => ({ stdout: "" }));
  return stdout
    .split("\n")
    .find((line) => line.endsWith(` ${suite} main`))
    ?.split(" ")[0];
}
