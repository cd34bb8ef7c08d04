import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, version } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { expectDifferences, type KnownDifference } from "../../../../../tests/support/known-differences.ts";
import { describeIf } from "../../../../../tests/support/requirements.ts";
import { useDockerEngine } from "../../../../../tests/support/docker-engine/index.ts";
import { describeConformance, describeFaults, evaluate, runOk } from "../../conformance/index.ts";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { dockerDriver } from "./driver.ts";

const { missing } = await useDockerEngine({ runtime: "runsc" });

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

  describe("whose kernel refuses a flag of coreutils", () => {
    const look =
      "set -e; mkdir -p seen/inner; echo text > seen/inner/file; ln -sfn file seen/inner/link; " +
      "ls -l seen/inner; ls seen/inner; ls -ld --time-style=+%s seen; stat seen; stat --printf '%n %s\\n' seen/inner/file; " +
      "du -a seen; find seen -ls; cp -a seen copied; test -s copied/inner/file; mv copied moved; ls -lR moved; " +
      "/bin/ls -l /; env -i /bin/stat --file-system .; rm -r moved seen; echo all of it worked";

    it("list files and look at them from a command", async () => {
      const result = await sandbox.commands.run(look);
      expect(result).toMatchObject({ stderr: "", exitCode: 0 });
      expect(result.stdout).toContain("all of it worked");
      expect(result.stdout).toContain("link -> file");
    });

    it("from a process that Python starts, with an environment of its own", async () => {
      const run = `subprocess.run(["bash", "-c", ${JSON.stringify(look)}], env={}, text=True, capture_output=True)`;
      expect(await evaluate(sandbox, `import subprocess; ran = ${run}; [ran.returncode, ran.stderr]`)).toBe(
        "[0, '']",
      );
    });

    it("from a terminal", async () => {
      const command = await sandbox.commands.spawn(look, { pty: { cols: 100, rows: 30 } });
      expect((await command.wait()).exitCode).toBe(0);
      expect((await command.output()).stdout.text).toContain("all of it worked");
    });

    it("say of a file that is not there that it is not", async () => {
      const { stderr, exitCode } = await sandbox.commands.run("stat absent; ls -l absent; test -e absent");
      expect(exitCode).toBe(1);
      expect(stderr.match(/No such file or directory/g)).toHaveLength(2);
    });
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

  it("stop a fork bomb, or end with it, and keep their files", async () => {
    const id = "with-a-bomb";
    const bombed = await dockerDriver.create({ dataDir, id, limits: { processes: 48 } });
    onTestFinished(() => bombed.destroy().catch(() => undefined));
    await bombed.files.write("kept.txt", "yes");
    await bombed.commands
      .run("bomb() { bomb | bomb & }; bomb; wait; sleep 1000", { timeoutMs: 3000 })
      .catch((error: unknown) => expect(error).toMatchObject({ code: "sandbox_dead" }));
    const again = (await bombed.state()) === "dead" ? await dockerDriver.create({ dataDir, id }) : bombed;
    onTestFinished(() => again.destroy().catch(() => undefined));
    await vi.waitFor(async () => expect(await again.files.readText("kept.txt")).toBe("yes"), 90_000);
    expect(await evaluate(sandbox, "len(kept)")).toBe("2");
  });

  it("come back on their files with a snapshot's variables", async () => {
    await sandbox.snapshot();
    await sandbox.destroy({ keepFiles: true });
    sandbox = await dockerDriver.create({ dataDir, id: "under-gvisor" });
    expect((await sandbox.restore()).restored).toContain("kept");
    expect(await sandbox.files.exists("kept.csv")).toBe(true);
  });
});

/** What gVisor does otherwise than Linux, with Debian 12's version; see docs/docker.md. */
const differences: readonly KnownDifference[] = [
  {
    test: "a terminal turns Ctrl-C into an interrupt of what is running",
    reason: "its terminals make no signals of what is typed",
  },
  { test: "a terminal can be resized", reason: "its terminals tell no program of a new size" },
  {
    test: "limits of processes stop one more",
    reason: "it counts no processes: the guest's watch ends those that are too many",
  },
  {
    test: "files made to mislead a socket and a device are no files",
    reason: "it lets nobody look at a socket that the host can see, not even at its kind: permission_denied",
  },
  ...["of processes is stopped", "of processes in the shell is stopped"].map((test) => ({
    test: `code that takes all it can get ${test}`,
    reason: "a bomb may be quicker than that watch, and then ends its own sandbox",
    isUnsteady: true,
  })),
];

// Minutes: `npm run test:docker`.
if (process.env["ATOLL_TEST_GVISOR"] === "all" && missing === undefined) describeAll();

function describeAll(): void {
  describe("under gVisor", () => {
    expectDifferences(differences);
    describeConformance(dockerDriver, { module: new URL("driver.ts", import.meta.url).href });
    describeFaults(dockerDriver);
  });
}
