import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../contract/python.ts";
import { AtollError } from "../../errors.ts";
import { readArtifact } from "../../read-artifact.ts";
import { py, runOk } from "../run-code.ts";
import { describeInside, type Suite } from "../suite.ts";

export function describeArtifacts({ driver, create, share }: Suite): void {
  const plot = describeInside(driver).has("matplotlib") ? plotWithLibrary : plotByHand;

  describe("artifacts", () => {
    const sandbox = share();
    const folder = () => sandbox().info.paths.artifacts;
    const made = async (code: string): Promise<readonly Artifact[]> =>
      (await runOk(sandbox(), `import os\n${code}`)).artifacts;
    const write = (name: string, content: string) =>
      `open(${py(`${folder()}/${name}`)}, 'w').write(${py(content)});`;

    it("are the files a run makes, with their content's hash", async () => {
      expect(await made(write("report.csv", "a,b\n1,2\n"))).toMatchObject([
        {
          path: `${folder()}/report.csv`,
          sizeBytes: 8,
          hash: createHash("sha256").update("a,b\n1,2\n").digest("hex"),
          mime: "text/csv",
          change: "new",
        },
      ]);
      expect(await made("1")).toEqual([]);
    });

    it("are found again when their content changes", async () => {
      await made(write("changing.txt", "one"));
      expect(await made(write("changing.txt", "two"))).toMatchObject([{ change: "changed" }]);
    });

    it("are found by content, whatever the clock and the size say", async () => {
      const path = py(`${folder()}/clock.txt`);
      await made(`${write("clock.txt", "one")}\nos.utime(${path}, (1e9, 1e9))`);
      expect(await made(`${write("clock.txt", "two")}\nos.utime(${path}, (1e9, 1e9))`)).toMatchObject([
        { change: "changed" },
      ]);
    });

    it("are not what keeps its content", async () => {
      await made(write("same.txt", "same"));
      expect(await made(write("same.txt", "same"))).toEqual([]);
      expect(await made(`os.utime(${py(`${folder()}/same.txt`)})`)).toEqual([]);
      expect(await made(`os.remove(${py(`${folder()}/same.txt`)})`)).toEqual([]);
    });

    it("are found below folders and under any name", async () => {
      const artifacts = await made(
        `os.makedirs(${py(`${folder()}/deep/er`)})\n${write("deep/er/Größe 'x'.json", "{}")}`,
      );
      expect(artifacts).toMatchObject([
        { path: `${folder()}/deep/er/Größe 'x'.json`, mime: "application/json" },
      ]);
    });

    it("are found under a new name when they move", async () => {
      await made(write("before.txt", "moving"));
      expect(
        await made(`os.rename(${py(`${folder()}/before.txt`)}, ${py(`${folder()}/after.txt`)})`),
      ).toMatchObject([{ path: `${folder()}/after.txt`, change: "new" }]);
    });

    it("are images in every folder that is watched", async () => {
      const { workspace, outputs } = sandbox().info.paths;
      const paths = [`${folder()}/plot.png`, `${workspace}/outputs/plot.png`, `${outputs}/plot.png`];
      const code = `
for path in ${JSON.stringify(paths)}: os.makedirs(os.path.dirname(path), exist_ok=True)
${plot(paths)}`;
      const artifacts = await made(code);
      expect(artifacts.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
      expect(new Set(artifacts.map(({ mime }) => mime))).toEqual(new Set(["image/png"]));
    });

    it("are not what somebody else wrote between runs", async () => {
      await sandbox().files.write(`${folder()}/uploaded.txt`, "from outside");
      expect(await made("1")).toEqual([]);
      expect(await made(write("uploaded.txt", "from inside"))).toMatchObject([{ change: "changed" }]);
    });

    it("are reported by a run that fails or runs out of time", async () => {
      const failed = await sandbox().python.run(`${write("partial.txt", "x")}\n1 / 0`);
      expect(failed).toMatchObject({ status: "error", artifacts: [{ change: "new" }] });
      await runOk(sandbox(), "import time");
      const late = await sandbox().python.run(`${write("late.txt", "x")}\nwhile True: time.sleep(1)`, {
        timeoutMs: 1500,
      });
      expect(late).toMatchObject({ status: "timeout", artifacts: [{ change: "new" }] });
    });

    it("are reported by a run whose kernel dies", async () => {
      const fresh = await create();
      const path = py(`${fresh.info.paths.artifacts}/last.txt`);
      const died = await fresh.python.run(
        `import os\nwith open(${path}, 'w') as f: f.write('x')\nos._exit(1)`,
      );
      expect(died).toMatchObject({ status: "killed", artifacts: [{ change: "new" }] });
    });

    it("are copied to the host, where nothing inside can change the copy or make it a link", async () => {
      const target = py(`${folder()}/swapped.txt`);
      const { artifacts, artifactMap } = await runOk(sandbox(), write("swapped.txt", "as it was"));
      const [artifact] = artifacts as readonly [Artifact];
      await runOk(sandbox(), `import os; os.remove(${target}); os.symlink("/etc/passwd", ${target})`);
      const hostPath = artifactMap[artifact.path] ?? "";
      expect([(await lstat(hostPath)).isFile(), await readFile(hostPath, "utf8")]).toEqual([
        true,
        "as it was",
      ]);
      expect(Buffer.from(await readArtifact(sandbox(), artifact)).toString()).toBe("as it was");
      const { hostPath: _, ...inside } = artifact;
      await expect(readArtifact(sandbox(), inside)).rejects.toBeInstanceOf(AtollError);
    });

    it("lie on the host where the map says", async () => {
      const { artifacts, artifactMap } = await runOk(sandbox(), write("mapped.txt", "on the host"));
      expect(artifacts).toHaveLength(1);
      const [{ path, hash, hostPath }] = artifacts as readonly [Artifact];
      expect(hostPath).toBe(artifactMap[path]);
      expect(Object.keys(artifactMap)).toEqual(hostPath === undefined ? [] : [path]);
      if (hostPath === undefined) return;
      expect(
        createHash("sha256")
          .update(await readFile(hostPath))
          .digest("hex"),
      ).toBe(hash);
    });
  });
}

function plotWithLibrary(paths: readonly string[]): string {
  return `
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
for path in ${JSON.stringify(paths)}: plt.savefig(path)
plt.close("all")`;
}

/** One black pixel, each time in a file that says where it is. */
function plotByHand(paths: readonly string[]): string {
  return `
import struct, zlib
def part(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
for path in ${JSON.stringify(paths)}:
    head = part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = part(b"IDAT", zlib.compress(bytes(2))) + part(b"tEXt", b"Path\\0" + path.encode()) + part(b"IEND", b"")
    open(path, "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + head + pixels)`;
}
