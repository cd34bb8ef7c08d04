import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hostileNames } from "../files/file-names.ts";
import { py, runOk } from "../run-code.ts";
import { describeInside, expectRefusals, refusal, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

export function describeFileFaults({ driver, create, share }: Suite): void {
  const { hasProcesses } = describeInside(driver);

  describe("files made to mislead", () => {
    const sandbox = share();
    const files = () => sandbox().files;

    it.each(hostileNames)("a name with %s is only a name", async (_, name) => {
      const { artifacts } = sandbox().info.paths;
      const code = `import os, subprocess\nos.chdir(${py(artifacts)})\nopen(${py(name)}, 'w').write('content')\nos.chdir(${py(sandbox().info.paths.workspace)})`;
      const result = await runOk(sandbox(), code);
      expect(result.artifacts).toMatchObject([{ path: `${artifacts}/${name}`, change: "new" }]);
      expect(await files().readText(`${artifacts}/${name}`)).toBe("content");
      await files().remove(`${artifacts}/${name}`);
      expect(await files().exists(`${artifacts}/${name}`)).toBe(false);
      await expectUsable(sandbox());
    });

    it("a name with .. leads to what the sandbox itself sees", async () => {
      const path = `${"../".repeat(30)}etc/hostname-that-is-not-there`;
      await expect(files().readText(path)).rejects.toMatchObject(refusal("not_found"));
      await expectUsable(sandbox());
    });

    it("a link to /etc/passwd gives the sandbox's own file or an error", async () => {
      await runOk(sandbox(), "import os; os.symlink('/etc/passwd', 'passwd')");
      const seen = await files()
        .readText("passwd")
        .catch((error: { code: string }) => error.code);
      if (driver.capabilities.isolation) expect(seen).not.toBe(await readFile("/etc/passwd", "utf8"));
      expect(await files().stat("passwd")).toMatchObject({ kind: "symlink", linkTarget: "/etc/passwd" });
      await expectUsable(sandbox());
    });

    it.runIf(driver.capabilities.isolation)(
      "a link to a file or folder of the host leads nowhere",
      async () => {
        const host = await mkdtemp(join(tmpdir(), "atoll-host-"));
        onTestFinished(() => rm(host, { recursive: true, force: true }));
        await writeFile(join(host, "canary"), "of the host");
        const { artifacts } = sandbox().info.paths;
        const links = [
          ["canary", "to-file"],
          [".", "to-folder"],
          ["canary", `${artifacts}/to-file`],
        ];
        const code = links
          .map(([target, link]) => `os.symlink(${py(join(host, target ?? ""))}, ${py(link ?? "")})`)
          .join("\n");
        const result = await runOk(sandbox(), `import os\n${code}`);

        await expectRefusals("not_found", [
          files().readText("to-file"),
          files().readText("to-folder/canary"),
          files().list("to-folder"),
        ]);
        expect(result.artifactMap).toEqual({});
        await files()
          .write("to-folder/planted", "x")
          .catch(() => undefined);
        await files()
          .write("to-file", "replaced")
          .catch(() => undefined);
        await files().remove("to-folder");
        expect(await readdir(host)).toEqual(["canary"]);
        expect(await readFile(join(host, "canary"), "utf8")).toBe("of the host");
        await expectUsable(sandbox());
      },
    );

    it("a link to itself is an error", async () => {
      await runOk(sandbox(), "import os; os.symlink('circle', 'circle')");
      await expect(files().readText("circle")).rejects.toMatchObject({ name: "AtollError" });
      await expectUsable(sandbox());
    });

    it.runIf(hasProcesses)("a FIFO makes nothing wait", async () => {
      const fresh = await create();
      const { artifacts } = fresh.info.paths;
      const result = await runOk(
        fresh,
        `import os\nos.mkfifo('pipe')\nos.mkfifo(${py(`${artifacts}/pipe.png`)})`,
      );
      expect(result.artifacts).toEqual([]);
      expect(await fresh.files.stat("pipe")).toMatchObject({ kind: "other" });
      expect((await fresh.files.list()).map((entry) => entry.name)).toEqual(["pipe"]);
      await expectRefusals("not_a_file", [
        fresh.files.read("pipe"),
        fresh.files.readText("pipe"),
        readAll(fresh.files.readStream("pipe")),
      ]);
      expect((await fresh.files.grep("anything")).matches).toEqual([]);
      await expect(fresh.files.write("pipe", "x", { append: true })).rejects.toMatchObject(
        refusal("not_a_file"),
      );
      if (driver.capabilities.snapshot)
        await expect(fresh.restore({ path: "pipe" })).rejects.toMatchObject({ name: "AtollError" });
      await fresh.files.remove("pipe");
      await expectUsable(fresh);
    });

    it.runIf(!hasProcesses)("devices are no files, and FIFOs and sockets cannot be made", async () => {
      await expectRefusals("not_a_file", [files().read("/dev/null"), files().read("/dev/urandom")]);
      const make =
        "import os, socket, stat\nfor attempt in (lambda: os.mknod('fifo', stat.S_IFIFO | 0o600), lambda: socket.socket(socket.AF_UNIX).bind('listening')):\n    try: attempt()\n    except (OSError, AttributeError): print('refused')";
      expect((await runOk(sandbox(), make)).stdout).toBe("refused\nrefused\n");
      await expectUsable(sandbox());
    });

    it.runIf(hasProcesses)("a socket and a device are no files", async () => {
      await runOk(
        sandbox(),
        "import socket\nserver = socket.socket(socket.AF_UNIX)\nserver.bind('listening')",
      );
      await expectRefusals("not_a_file", [
        files().read("listening"),
        files().read("/dev/zero"),
        files().read("/dev/tty"),
      ]);
      await expectUsable(sandbox());
    });

    it("a folder without permissions can still be removed or is an error", async () => {
      await runOk(
        sandbox(),
        "import os\nos.makedirs('locked/in')\nopen('locked/in/file', 'w').close()\nos.chmod('locked/in', 0); os.chmod('locked', 0)",
      );
      const outcome = await files()
        .remove("locked")
        .then(
          () => "removed",
          (error: { code: string }) => error.code,
        );
      expect(["removed", "permission_denied"]).toContain(outcome);
      await expectUsable(sandbox());
    });

    it("folders in folders can be made, listed, searched and removed, however deep they are", async () => {
      const fresh = await create();
      // Emscripten takes the cube of the depth.
      const depth = hasProcesses ? 3000 : 200;
      await fresh.files.write("top.txt", "a needle");
      await runOk(fresh, `import os\nfor _ in range(${depth}):\n    os.mkdir('d'); os.chdir('d')`, {
        timeoutMs: 60_000,
      });
      const listed = await fresh.files.list(".", { recursive: true });
      expect(listed.length).toBeGreaterThan(Math.min(depth, 1000));
      expect(listed.map(({ name }) => name)).toContain("top.txt");
      // What lies deeper than a path can say is shown as what cannot be looked at.
      const unseen = listed.filter(({ problem }) => problem !== undefined);
      expect(unseen).toHaveLength(hasProcesses ? 1 : 0);
      expect((await fresh.files.grep("needle")).matches).toMatchObject([{ text: "a needle" }]);
      expect(await fresh.files.glob("**/*.txt")).toHaveLength(1);
      expect((await fresh.trees.scan()).entries?.length).toBeGreaterThan(Math.min(depth, 1000));
      await runOk(fresh, `os.chdir(${py(fresh.info.paths.workspace)})`);
      await fresh.files.remove("d");
      expect(await fresh.files.exists("d")).toBe(false);
      await expectUsable(fresh);
    });

    // Without a boundary /tmp is the host's: another run may use it at the same time.
    it.each(["/tmp/", ""])("absurd times below '%s' are shown as the nearest that can be", async (parent) => {
      const folder = `${parent}times-${randomUUID()}`;
      const fresh = await create();
      const { workspace } = fresh.info.paths;
      const code = `import os
os.makedirs(${py(folder)}); os.chdir(${py(folder)})
for n, seconds in enumerate((0, -1, 2**31, 2**33, 2**40, -2**40, 2**55, -2**55)):
    open(f'{n}.txt', 'w').write('a needle')
    try: os.utime(f'{n}.txt', ns=(seconds * 10**9, seconds * 10**9))
    except (OSError, OverflowError, ValueError): pass
os.chdir(${py(workspace)})`;
      await runOk(fresh, code);
      for (const recursive of [false, true]) {
        const listed = await fresh.files.list(folder, { recursive });
        expect(listed).toHaveLength(8);
        for (const { modifiedAt } of listed) expect(Date.parse(modifiedAt)).not.toBeNaN();
      }
      expect((await fresh.files.stat(`${folder}/6.txt`)).sizeBytes).toBe(8);
      expect(await fresh.files.readText(`${folder}/7.txt`)).toBe("a needle");
      expect((await fresh.files.grep("needle", { path: folder })).matches).toHaveLength(8);
      const { entries = [] } = await fresh.trees.scan();
      for (const { modifiedUs } of entries) expect(Number.isSafeInteger(modifiedUs)).toBe(true);
      await fresh.files.remove(folder);
      await expectUsable(fresh);
    });
  });
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}
