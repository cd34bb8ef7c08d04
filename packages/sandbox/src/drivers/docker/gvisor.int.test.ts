import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, version } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import { useDockerEngine } from "../../../../../tests/support/docker-engine/index.ts";
import { describeConformance, describeFaults, evaluate, runOk } from "../../conformance/index.ts";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { dockerDriver } from "./driver.ts";

const engine = await useDockerEngine();
const missing =
  engine.missing ??
  (engine.runtimes.includes("runsc") ? undefined : "the engine has no runtime runsc (apt-get install runsc)");
process.env["SANDBOX_DOCKER_RUNTIME"] = "runsc";

describeIf({ suite: "containers under gVisor", missing }, () => {
  let dataDir = "";
  let sandbox: SandboxHandle;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-gvisor-"));
    sandbox = await dockerDriver.create({ dataDir, id: "under-gvisor" });
  });
  afterAll(async () => {
    await sandbox?.destroy();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it("have a kernel that is not the host's", async () => {
    const { stdout } = await sandbox.commands.run("uname -v");
    expect(stdout.trim()).not.toBe("");
    expect(stdout.trim()).not.toBe(version());
  });

  it("run Python and commands, and keep files and variables", async () => {
    await runOk(sandbox, "import pandas as pd; kept = pd.DataFrame({'a': [1, 2]}); kept.to_csv('kept.csv')");
    expect((await sandbox.commands.run("wc -l < kept.csv")).stdout.trim()).toBe("3");
    expect(await evaluate(sandbox, "int(kept.a.sum())")).toBe("3");
  });

  it("pause and resume", async () => {
    await sandbox.pause();
    expect(await sandbox.state()).toBe("paused");
    await expect(sandbox.python.run("1")).rejects.toMatchObject({ code: "sandbox_paused" });
    await sandbox.resume();
    expect(await evaluate(sandbox, "len(kept)")).toBe("2");
  });

  it("are attached to, and lead to a port inside", async () => {
    const second = await dockerDriver.attach(sandbox.id, { dataDir });
    await second.commands.spawn("python3 -m http.server 8123 --bind 127.0.0.1");
    const fetched = async () => {
      const response = await fetch(`${await second.ports.url(8123)}/kept.csv`).catch(() => undefined);
      return response?.ok ? response.text() : undefined;
    };
    let text = await fetched();
    while (text === undefined) text = await fetched();
    expect(text).toContain(",a");
    await second.detach();
  });

  it("come back on their files with a snapshot's variables", async () => {
    await sandbox.snapshot();
    await sandbox.destroy({ keepFiles: true });
    sandbox = await dockerDriver.create({ dataDir, id: "under-gvisor" });
    expect((await sandbox.restore()).restored).toContain("kept");
    expect(await sandbox.files.exists("kept.csv")).toBe(true);
  });
});

// A quarter of an hour. Twelve tests fail with Debian 12's gVisor, for the reasons in docs/docker.md.
if (process.env["ATOLL_TEST_GVISOR"] === "all" && missing === undefined) {
  describeConformance(dockerDriver, { module: new URL("driver.ts", import.meta.url).href });
  describeFaults(dockerDriver);
}
