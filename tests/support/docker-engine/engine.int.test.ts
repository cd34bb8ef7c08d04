import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { describeIf } from "../requirements.ts";
import { engineName, openEngine } from "./engine.ts";

const engine = await openEngine();
const own =
  "missing" in engine ? engine.missing : engine.host ? undefined : "another Docker engine runs here";
if (!("missing" in engine)) engine.close();

describeIf({ suite: "an engine of the tests' own", missing: own }, () => {
  it.each([
    ["its user", (started: Started) => started.user],
    ["its keeper", (started: Started) => started.keeper],
  ])("is gone with its containers and mounts when %s is killed", async (who, choose) => {
    const started = await start();
    expect(await countProcesses(started.folder)).toBeGreaterThanOrEqual(3);
    expect(await listMounts(started.folder)).not.toEqual([]);
    process.kill(choose(started), "SIGKILL");
    await vi.waitFor(
      async () => {
        expect(existsSync(`/proc/${started.container}`)).toBe(false);
        expect(await countProcesses(started.folder)).toBe(0);
        expect(await listMounts(started.folder)).toEqual([]);
        // The next keeper removes those of one that was killed.
        if (who === "its user") expect(await listGroups(started.folder)).toEqual([]);
      },
      { timeout: 90_000, interval: 100 },
    );
  });
});

interface Started {
  readonly folder: string;
  /** The processes that asked for it, that runs it, and of a container on it. */
  readonly user: number;
  readonly keeper: number;
  readonly container: number;
}

/** Another process starts an engine and a container, and stays. */
async function start(): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "atoll-engine-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const user = spawn(process.execPath, ["--input-type=module", "--eval", openAndRun], {
    env: { ...process.env, XDG_CACHE_HOME: folder, MODULE: new URL("engine.ts", import.meta.url).href },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void user.kill("SIGKILL"));
  const [answer] = (await once(user.stdout, "data")) as [Buffer];
  const [keeper] = await findProcesses(
    (words) => words[1]?.endsWith("keeper.ts") && words[2]?.startsWith(folder),
  );
  return { folder, user: user.pid ?? 0, keeper: keeper ?? 0, container: Number(String(answer)) };
}

const openAndRun = `
import { execFileSync } from "node:child_process";
const { openEngine } = await import(process.env.MODULE);
const { host, missing } = await openEngine();
if (missing) throw new Error(missing);
const env = { ...process.env, DOCKER_HOST: host };
const sh = (text) => execFileSync("sh", ["-c", text], { env, encoding: "utf8" });
sh("tar --create --dereference /bin/sleep $(ldd /bin/sleep | grep -o '/[^ ]*') 2>/dev/null | docker import - only-sleep");
const id = sh("docker run --detach --network none --stop-signal KILL only-sleep /bin/sleep 1000");
console.log(sh("docker inspect --format '{{.State.Pid}}' " + id).trim());
setInterval(() => {}, 1 << 30);
`;

/** Of the keeper, the daemons and the containers' shims: all are told the engine's folder. */
async function countProcesses(folder: string): Promise<number> {
  return (await findProcesses((words) => words.some((word) => word.includes(`${folder}/atoll/docker`))))
    .length;
}

async function findProcesses(isMeant: (words: readonly string[]) => boolean | undefined): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
      return isMeant(words) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

async function listMounts(folder: string): Promise<string[]> {
  return (await readFile("/proc/self/mounts", "utf8")).split("\n").filter((line) => line.includes(folder));
}

async function listGroups(folder: string): Promise<string[]> {
  const name = engineName(join(folder, "atoll/docker"));
  const controllers = await readdir("/sys/fs/cgroup");
  return controllers.filter((controller) => existsSync(join("/sys/fs/cgroup", controller, name)));
}
