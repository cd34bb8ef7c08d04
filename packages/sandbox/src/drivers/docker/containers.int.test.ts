import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import { useDockerEngine } from "../../../../../tests/support/docker-engine/index.ts";
import type { CreateOptions } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../../conformance/index.ts";
import { dockerDriver } from "./driver.ts";
import { defaultImage } from "./requirements.ts";

const { missing } = await useDockerEngine({ isPreloaded: true });

interface Inspected {
  readonly Config: { readonly User: string; readonly Labels: Record<string, string> };
  readonly HostConfig: {
    readonly Memory: number;
    readonly PidsLimit: number;
    readonly NanoCpus: number;
    readonly NetworkMode: string;
    readonly ReadonlyRootfs: boolean;
    readonly CapDrop: readonly string[];
    readonly CapAdd: readonly string[] | null;
    readonly Privileged: boolean;
    readonly SecurityOpt: readonly string[];
    readonly AutoRemove: boolean;
  };
}

describeIf({ suite: "the containers of the docker driver", missing, isRequired: true }, () => {
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-containers-"));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

  const store = () => join(dataDir, "docker/store");
  const create = async (options: CreateOptions = {}) => {
    const sandbox = await dockerDriver.create({ dataDir, ...options });
    onTestFinished(() => sandbox.destroy().catch(() => undefined));
    return sandbox;
  };
  const nameOf = async (id: string) =>
    (JSON.parse(await readFile(join(store(), "sandboxes", id, "container.json"), "utf8")) as { name: string })
      .name;
  const docker = async (...args: string[]) => {
    const child = spawn("docker", args, { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    const [code] = (await once(child, "close")) as [number];
    return code === 0 ? output : undefined;
  };
  const inspect = async (id: string) =>
    (JSON.parse((await docker("inspect", await nameOf(id))) ?? "[]") as Inspected[])[0];

  it("have no privilege, no network and a read-only root, and say whose they are", async () => {
    const { id } = await create();
    const { Config, HostConfig } = (await inspect(id)) ?? expect.fail("no container");
    expect(HostConfig).toMatchObject({
      NetworkMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      Privileged: false,
      SecurityOpt: ["no-new-privileges"],
      AutoRemove: true,
    });
    expect(HostConfig.CapAdd ?? []).toEqual([]);
    expect(Config.User).not.toMatch(/^(0|root)?(:|$)/);
    expect(Config.Labels).toMatchObject({
      "dev.atoll.data": join(dataDir, "docker"),
      "dev.atoll.owner": expect.any(String),
    });
    expect(Config.Labels["dev.atoll.expiry"]).toMatch(/\d/);
  });

  it("have the limits that were asked for, also those that were parked with others", async () => {
    const { id } = await create({ limits: { memoryBytes: 300 << 20, cpus: 0.5, processes: 77 } });
    expect((await inspect(id))?.HostConfig).toMatchObject({
      Memory: 300 << 20,
      NanoCpus: 5e8,
      PidsLimit: 78,
    });
  });

  it("see neither the way to their guest nor a file of its start", async () => {
    const sandbox = await create();
    expect(await evaluate(sandbox, "import os; sorted(os.listdir('/session'))")).toBe("['artifacts']");
  });

  it("have imported what they were told to, and import the rest when it is used", async () => {
    const isImported = "import sys; 'pandas' in sys.modules, 'matplotlib.pyplot' in sys.modules";
    expect(await evaluate(await create(), isImported)).toBe("(True, True)");
    vi.stubEnv("ATOLL_POOL_PRELOAD", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const bare = await create();
    expect(await evaluate(bare, isImported)).toBe("(False, False)");
    const plotted = await runOk(bare, "import pandas as pd; pd.Series([1, 2]).plot(); pd.Series([1, 2])");
    expect(plotted.results.map(({ table, png }) => [table?.totalRows, png !== undefined])).toEqual([
      [2, false],
      [undefined, true],
    ]);
  });

  it("are gone when their sandbox is destroyed, and when nobody holds it for too long", async () => {
    const [destroyed, orphan] = [await create(), await create({ orphanTimeoutMs: 100 })];
    const names = await Promise.all([nameOf(destroyed.id), nameOf(orphan.id)]);
    await destroyed.destroy();
    await orphan.detach();
    await vi.waitFor(async () => {
      for (const name of names) expect(await docker("inspect", name)).toBeUndefined();
    }, 90_000);
  });

  it("are ended by a handle that was let go of, too", async () => {
    const sandbox = await create();
    const name = await nameOf(sandbox.id);
    await sandbox.detach();
    await sandbox.destroy();
    await vi.waitFor(async () => expect(await docker("inspect", name)).toBeUndefined(), 90_000);
  });

  it("are made of the image that was asked for, if there is one", async () => {
    await expect(create({ image: "atoll/never-built:1" })).rejects.toMatchObject({ code: "not_found" });
    await expect(create({ image: "../etc" })).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await evaluate(await create({ image: defaultImage }), "1 + 1")).toBe("2");
  });

  it("that cannot start say why and leave nothing behind", async () => {
    const image = "atoll/test-empty:latest";
    const archive = spawn("tar", ["--create", "--files-from", "/dev/null"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const importing = spawn("docker", ["import", "-", image], {
      stdio: [archive.stdout, "ignore", "ignore"],
    });
    await once(importing, "close");
    onTestFinished(async () => void (await docker("rmi", image)));
    const folder = await mkdtemp(join(tmpdir(), "atoll-empty-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    vi.stubEnv("ATOLL_POOL_SIZE", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(dockerDriver.create({ dataDir: folder, image })).rejects.toMatchObject({
      code: "runtime_unavailable",
      message: expect.stringMatching(/python3/),
    });
    expect(await readdir(join(folder, "docker/store/parked"))).toEqual([]);
    expect(await readdir(join(folder, "docker/store/sandboxes"))).toEqual([]);
  });

  it("take files back in that a sandbox left, again and again", async () => {
    const id = "kept-over-again";
    for (let round = 0; round < 4; round++) {
      const sandbox = await create({ id });
      const seen = (await sandbox.files.list()).map(({ name }) => name).toSorted();
      expect(seen).toEqual(Array.from({ length: round }, (_, n) => `file-${n}`));
      await runOk(sandbox, `open('file-${round}', 'w').write('${round}')`);
      await sandbox.destroy({ keepFiles: true });
    }
  });

  it("that a killed process left parked are adopted or gone, and its folders with them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "atoll-left-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const parked = () => readdir(join(folder, "docker/store/parked")).catch(() => [] as string[]);
    const maker = spawn(process.execPath, ["--input-type=module", "--eval", makeAndWait, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void maker.kill("SIGKILL"));
    await once(maker.stdout, "data");
    const isReady = async () =>
      (
        await Promise.all((await parked()).map((name) => readdir(join(folder, "docker/store/parked", name))))
      ).some((names) => names.includes("guest.sock"));
    await vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 90_000, interval: 100 });
    maker.kill("SIGKILL");
    await once(maker, "close");
    const before = await parked();
    vi.stubEnv("ATOLL_POOL_SIZE", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const sandbox = await dockerDriver.create({ dataDir: folder });
    onTestFinished(() => sandbox.destroy());
    expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    // Those that live are held; those that were not yet waiting have ended and are swept.
    for (const name of await parked())
      if (before.includes(name))
        expect(await readdir(join(folder, "docker/store/parked", name))).toContain("guest.sock");
  });
});

const makeAndWait = `
const [folder] = process.argv.slice(1);
const { dockerDriver } = await import(${JSON.stringify(new URL("driver.ts", import.meta.url).href)});
const sandbox = await dockerDriver.create({ dataDir: folder });
console.log(sandbox.id);
setInterval(() => undefined, 1 << 30);
`;
