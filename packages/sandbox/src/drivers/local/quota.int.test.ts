import { join } from "node:path";
import { expect, it, vi } from "vitest";
import {
  createLimited,
  makeQuotaDataDir,
  missingQuota,
  onHost,
  readProject,
  readQuota,
  readUsedBytes,
} from "../../../../../tests/support/quota.ts";
import { describeIf } from "../../../../../tests/support/requirements.ts";

const MiB = 1024 * 1024;
const fill = (bytes: number) => `
with open("filler", "ab", buffering=0) as file:
    for _ in range(${bytes} // 4096):
        file.write(bytes(4096))`;

describeIf({ suite: "the project of a sandbox's files", missing: missingQuota }, () => {
  it("is one for each: one that is full takes nothing from another", async () => {
    const dataDir = await makeQuotaDataDir();
    const [one, two] = [await createLimited(dataDir, 8 * MiB), await createLimited(dataDir, 8 * MiB)];
    expect((await one.python.run(fill(16 * MiB))).status).toBe("error");
    expect((await two.python.run(fill(6 * MiB))).status).toBe("ok");
    const [first, second] = [await readQuota(dataDir, one), await readQuota(dataDir, two)];
    expect(first.project).not.toBe(second.project);
    expect(first.used_bytes).toBeLessThanOrEqual(8 * MiB);
  });

  it("stays with the files, and has the limit of the latest start", async () => {
    const dataDir = await makeQuotaDataDir();
    const before = await createLimited(dataDir, 8 * MiB, { id: "again-and-again" });
    expect((await before.python.run(fill(6 * MiB))).status).toBe("ok");
    const { project } = await readQuota(dataDir, before);
    await before.destroy({ keepFiles: true });

    const smaller = await createLimited(dataDir, 4 * MiB, { id: "again-and-again" });
    expect(await readQuota(dataDir, smaller)).toMatchObject({ project, hard_kib: 4096 });
    expect((await smaller.python.run("open('more', 'wb', buffering=0).write(bytes(4096))")).status).not.toBe(
      "ok",
    );
    await smaller.destroy({ keepFiles: true });

    const larger = await createLimited(dataDir, 16 * MiB, { id: "again-and-again" });
    expect((await larger.python.run(fill(6 * MiB))).status).toBe("ok");
    expect(await readUsedBytes(larger)).toBeGreaterThanOrEqual(12 * MiB);
    expect((await larger.python.run(fill(6 * MiB))).status).toBe("error");
    expect((await readQuota(dataDir, larger)).used_bytes).toBeLessThanOrEqual(16 * MiB);
  });

  it("is free again when the sandbox is removed", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, 8 * MiB);
    await sandbox.python.run(fill(MiB));
    const { project } = await readQuota(dataDir, sandbox);
    await sandbox.destroy();
    const free = { hard_kib: 0, hard_inodes: 0, used_bytes: 0, used_inodes: 0 };
    await vi.waitFor(async () => expect(await readProject(dataDir, project)).toMatchObject(free), {
      timeout: 90_000,
      interval: 500,
    });
  });

  it("is given to files that were there before there were quotas", async () => {
    const dataDir = await makeQuotaDataDir();
    const before = await createLimited(dataDir, 8 * MiB, { id: "from-earlier" });
    await before.python.run(`import os\nos.makedirs("a/b")\nos.chdir("a/b")\n${fill(6 * MiB)}`);
    await before.destroy({ keepFiles: true });
    await forgetProjects(join(dataDir, "local/store/sandboxes/from-earlier"));

    const after = await createLimited(dataDir, 8 * MiB, { id: "from-earlier" });
    expect((await readQuota(dataDir, after)).used_bytes).toBeGreaterThanOrEqual(6 * MiB);
    expect((await after.python.run(fill(4 * MiB))).status).toBe("error");
  });

  it("holds for the folder of an ephemeral run", async () => {
    const dataDir = await makeQuotaDataDir();
    const sandbox = await createLimited(dataDir, 8 * MiB, { mode: "ephemeral" });
    const result = await sandbox.python.run(`import os\nos.chdir("/work")\n${fill(16 * MiB)}`);
    expect(result.status).toBe("error");
    expect(result.notices.join()).toContain("diskBytes");
  });
});

function forgetProjects(folder: string): Promise<void> {
  return onHost(`
for place, _, names in os.walk(${JSON.stringify(folder)}):
    for name in (".", *names):
        path = os.path.join(place, name)
        if os.path.isfile(path) or name == ".":
            quota_calls.set_project(os.open(path, os.O_RDONLY), 0, False)`);
}
