import { describe, expect, it } from "vitest";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import type { TreeContent, TreeEntry } from "../../contract/trees.ts";
import { hostileNames } from "./file-names.ts";
import { evaluate, evaluateJson, py, runOk } from "../run-code.ts";
import { describeInside, refusal, type Suite } from "../suite.ts";

export function describeTrees({ driver, create }: Suite): void {
  const { hasProcesses } = describeInside(driver);
  // Without a system there is nothing but files, folders and links.
  const mixture = hasProcesses ? `${plainMixture}os.mkfifo('fifo')\n` : plainMixture;

  describe("trees", () => {
    it("show every entry with its facts, and skip what is no file", async () => {
      const sandbox = await create();
      await sandbox.files.write(`${sandbox.info.paths.artifacts}/result.txt`, "result");
      await runOk(sandbox, mixture);
      await sandbox.snapshot();
      const { entries = [], skipped } = await sandbox.trees.scan();
      const found = entries.map(({ root, path, kind, mode, sizeBytes, linkTarget }) => [
        `${root}/${path}`,
        kind,
        kind === "symlink" ? linkTarget : mode.toString(8),
        sizeBytes,
      ]);
      expect(found).toEqual(
        expect.arrayContaining([
          ["workspace/a", "folder", "755", 0],
          ["workspace/a/run.sh", "file", "750", 3],
          ["workspace/empty", "folder", "755", 0],
          ["workspace/link", "symlink", "/etc/passwd", 11],
          ["session/artifacts/result.txt", "file", "644", 6],
        ]),
      );
      expect(found.filter(([path]) => String(path).includes(".snapshot"))).toEqual([]);
      expect(skipped).toMatchObject(hasProcesses ? [{ root: "workspace", path: "fifo" }] : []);
      await expect(sandbox.trees.scan({ maxEntries: 2 })).rejects.toMatchObject(refusal("too_many_entries"));
    });

    it("tell that nothing has changed, and notice every change", async () => {
      const sandbox = await create();
      await runOk(sandbox, "open('one', 'w').write('aaa'); open('two', 'w').write('bbb')");
      let last = await sandbox.trees.scan();
      const look = async () => {
        const scan = await sandbox.trees.scan({ unless: last.fingerprint });
        const signature = (path: string) => (entry: TreeEntry) =>
          entry.path === path ? [entry.signature] : [];
        const isSame = (path: string) =>
          JSON.stringify(scan.entries?.flatMap(signature(path))) ===
          JSON.stringify(last.entries?.flatMap(signature(path)));
        const seen = scan.entries && { one: isSame("one"), two: isSame("two") };
        if (scan.entries) last = scan;
        return seen;
      };
      expect(await look()).toBeUndefined();
      await runOk(sandbox, restoreTimes);
      expect(await look()).toEqual({ one: false, two: true });
      await runOk(sandbox, "os.replace('two', 'other'); os.rename('other', 'two')");
      expect(await look()).toEqual({ one: true, two: false });
      await runOk(sandbox, "os.chmod('one', 0o600)");
      expect((await look())?.one).toBe(false);
      await runOk(sandbox, "os.unlink('one')");
      expect((await look())?.one).toBe(false);
      expect(await look()).toBeUndefined();
    });

    it("carry everything over to another sandbox, names and modes and all", async () => {
      const [source, target] = await Promise.all([create(), create()]);
      await runOk(source, mixture);
      for (const [, name] of hostileNames) await source.files.write(`names/${name}`, name);
      const oddName = hasProcesses ? "open(b'names/\\xff\\xfe', 'w').write('bytes')\n" : "";
      await runOk(source, `${oddName}${closedFolder}`);
      await target.files.write("a", "in the way");
      const large = 9 * 1024 * 1024;
      await source.files.write("large.bin", new Uint8Array(large).fill(7), { mode: 0o640 });

      const entries = (await source.trees.scan()).entries ?? [];
      expect(await target.trees.unpack(await withContents(source, entries))).toEqual([]);
      // What passes through WebAssembly keeps its milliseconds only.
      const tickNs = driver.name === "routed" ? 1_000_000 : 1000;
      expect(await describeFolder(target, tickNs)).toEqual(await describeFolder(source, tickNs));
      expect(await evaluate(target, "__import__('os').stat('closed').st_mode & 0o777")).toBe("320");
    });

    it("say of a file that was changed that it was, and of an entry that cannot be made why", async () => {
      const sandbox = await create();
      await runOk(sandbox, "for name in 'abc': open(name, 'w').write(name)");
      const entries = (await sandbox.trees.scan()).entries?.filter(({ kind }) => kind === "file") ?? [];
      const instead = hasProcesses ? "os.mkfifo('b')" : "os.mkdir('b')";
      const change = `import os\nopen('a', 'a').write('more'); os.unlink('b'); ${instead}`;
      await runOk(sandbox, change, { place: "heavy" });
      const contents = await sandbox.trees.pack(entries);
      expect(contents.map((content) => content && Buffer.from(content).toString())).toEqual([
        undefined,
        undefined,
        "c",
      ]);
      const facts = { kind: "file", mode: 0o644, sizeBytes: 1, modifiedUs: 0, signature: "" } as const;
      const entry = (path: string) =>
        ({ ...facts, root: "workspace", path, content: Buffer.from("x") }) as const;
      expect(await sandbox.trees.unpack([entry("c/below-a-file"), entry("fine")])).toMatchObject([
        { root: "workspace", path: "c/below-a-file", reason: expect.stringMatching(/\S/) },
      ]);
      expect(await sandbox.files.readText("fine")).toBe("x");
      for (const path of ["../out", "/etc/x", "a/../../b"])
        await expect(sandbox.trees.unpack([entry(path)])).rejects.toMatchObject(refusal("invalid_argument"));
    });
  });
}

const plainMixture = `
import os
os.makedirs('a/b'); os.mkdir('empty')
open('a/run.sh', 'w').write('#!x'); os.chmod('a/run.sh', 0o750)
open('a/b/none', 'w').close(); os.utime('a/b/none', ns=(10**18, 10**18))
os.symlink('/etc/passwd', 'link'); os.symlink('nowhere', 'a/dangling')
`;
const closedFolder = "os.mkdir('closed'); open('closed/in', 'w').write('x'); os.chmod('closed', 0o500)";

/** Changes the content in place and gives the file its old times back. */
const restoreTimes = `
import os
before = os.stat('one')
with open('one', 'r+') as file: file.write('AAA')
os.utime('one', ns=(before.st_atime_ns, before.st_mtime_ns))
`;

async function withContents(source: SandboxHandle, entries: readonly TreeEntry[]): Promise<TreeContent[]> {
  const small = entries.filter(({ kind, sizeBytes }) => kind === "file" && sizeBytes < 1_000_000);
  const contents = await source.trees.pack(small);
  return entries.map((entry) => {
    const at = small.indexOf(entry);
    if (entry.kind !== "file") return entry;
    const path = `${source.info.paths[entry.root]}/${entry.path}`;
    return { ...entry, content: contents[at] ?? (() => source.files.readStream(path)) };
  });
}

/** As the sandbox's own code sees it. */
async function describeFolder(sandbox: SandboxHandle, tickNs: number): Promise<unknown> {
  const code = `
import hashlib, json, os, stat
found = []
for folder, folders, files in os.walk(${py(sandbox.info.paths.workspace)}):
    for name in folders + files:
        path = os.path.join(folder, name); facts = os.lstat(path)
        if stat.S_ISFIFO(facts.st_mode): continue
        content = os.readlink(path) if stat.S_ISLNK(facts.st_mode) else hashlib.md5(open(path, 'rb').read()).hexdigest() if stat.S_ISREG(facts.st_mode) else ''
        times = 0 if stat.S_ISLNK(facts.st_mode) else facts.st_mtime_ns // ${tickNs}
        found.append([os.path.relpath(path, ${py(sandbox.info.paths.workspace)}), facts.st_mode, times, content])
print(json.dumps(sorted(found)))
`;
  return evaluateJson(sandbox, code, { place: "heavy" });
}
