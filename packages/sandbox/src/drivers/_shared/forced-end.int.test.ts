import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findOnHost } from "../../conformance/host-processes.ts";
import { hostDriver } from "../host/driver.ts";

it.runIf(process.platform === "linux")(
  "a sandbox without namespaces whose first process hangs is ended from outside, with all it started",
  async () => {
    const { dataDir, sandbox } = await createOnHost();
    const marker = `atoll-${randomUUID()}`;
    // One of them has left its session and its parent.
    const command = `setsid sh -c 'sleep 1000; true' ${marker} & sleep 1000`;
    await sandbox.commands.spawn(["sh", "-c", command, marker]);
    await expect.poll(async () => (await findOnHost(marker)).length).toBeGreaterThan(1);
    await hang(dataDir, sandbox.id);
    await sandbox.destroy();
    await expect.poll(() => findOnHost(marker)).toEqual([]);
  },
  60_000,
);

it.runIf(process.platform === "linux")(
  "a sandbox that does not answer whoever attaches is ended, and starts again on its files",
  async () => {
    const { dataDir, sandbox } = await createOnHost();
    await sandbox.files.write("kept.txt", "kept");
    await sandbox.detach();
    await hang(dataDir, sandbox.id);
    const listed = await hostDriver.list({ dataDir });
    expect(listed.map(({ id, state }) => [id, state])).toEqual([[sandbox.id, "running"]]);
    await expect(hostDriver.attach(sandbox.id, { dataDir })).rejects.toMatchObject({ code: "sandbox_dead" });
    await using next = await hostDriver.create({ dataDir, id: sandbox.id });
    expect(await next.files.readText("kept.txt")).toBe("kept");
  },
  120_000,
);

async function createOnHost() {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-forced-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  return { dataDir, sandbox: await hostDriver.create({ dataDir }) };
}

/** As one that waits for ever: it answers nobody. */
async function hang(dataDir: string, id: string): Promise<void> {
  const file = join(dataDir, "host/store/sandboxes", id, "guest.pid");
  process.kill(Number((await readFile(file, "utf8")).split(" ")[0]), "SIGSTOP");
}
