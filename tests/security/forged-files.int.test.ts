import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pyodideDriver, type SandboxHandle } from "@atoll/sandbox";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const MiB = 1024 * 1024;
const diskBytes = 32 * MiB;
const heapBytes = 300 * MiB;

/** What the host keeps of a pyodide sandbox's files is what its interpreter says of them. Here it lies. */
describe("an interpreter that lies about its files", async () => {
  const reason = await pyodideDriver.unavailableBecause();
  let dataDir = "";
  let sandbox: SandboxHandle;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "atoll-forged-"));
    sandbox = await pyodideDriver.create({ dataDir, limits: { diskBytes, timeoutMs: 60_000 } });
  });
  afterEach(async () => {
    await sandbox?.destroy();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  test.skipIf(reason !== undefined).each<readonly [string, string]>([
    [
      "links with targets of 8 MiB",
      "for n in range(400): files([['workspace', f'link{n}', 'symlink', 0o777, 0, 0, 'x' * 8388608]])",
    ],
    [
      "257 files of 1 MiB where 32 MiB are allowed",
      "for n in range(257): files([['workspace', f'file{n}', 'file', 0o644, 1048576, 0, None]], bytes(1048576))",
    ],
    ["more rows than fit", "files([['workspace', 'x', 'folder', 0o755, 0, 0, None]] * 100_000)"],
    ["a size that its content has not", "files([['workspace', 'x', 'file', 0o644, 2**52, 0, None]], b'')"],
    ["a negative size", "files([['workspace', 'x', 'file', 0o644, -1, 0, None]])"],
    ["a time that is none", 'files(b\'[["workspace","x","file",420,0,1e999,null]]\')'],
    ["a root that is none", "files([['__proto__', 'x', 'file', 0o644, 0, 0, None]])"],
    ["a row that is none", "files([None])"],
    ["rows that are none", "send({'id': 1, 'event': 'files', 'data': {'changed': 'x', 'removed': 7}})"],
  ])("with %s is ended, and the host keeps no more than the limit", async (_, attack) => {
    const before = process.memoryUsage();
    const result = await sandbox.python.run(`${forge}\n${attack}\nimport time; time.sleep(50)`, {
      copyArtifacts: false,
    });
    expect(result).toMatchObject({ status: "killed", kernelRestarted: true, error: { name: "KernelDied" } });
    expect(result.error?.value).toMatch(/protocol/);
    expect(process.memoryUsage().heapUsed - before.heapUsed).toBeLessThan(heapBytes);
    expect(await sizeOf(dataDir)).toBeLessThan(diskBytes + 4 * MiB);
    expect(await sandbox.python.run("6 * 7")).toMatchObject({ status: "ok", results: [{ text: "42" }] });
  });

  test.skipIf(reason !== undefined)("names that lead elsewhere are not followed", async () => {
    const names = [
      "../escaped",
      "../../escaped",
      "./escaped",
      "/etc/escaped",
      "a/../../escaped",
      "a//b",
      "",
      ".",
      "d/".repeat(1000) + "d",
    ];
    // What is in a folder that is not kept is not kept either: these are said to be folders first.
    const folders = ["..", "../..", ".", "a", "a/..", "a/../.."];
    const rows = [
      ...folders.map((name) => `['workspace', ${JSON.stringify(name)}, 'folder', 0o755, 0, 0, None]`),
      ...names.map((name) => `['workspace', ${JSON.stringify(name)}, 'file', 0o644, 1, 0, None]`),
    ];
    const result = await sandbox.python.run(`${forge}\nfiles([${rows.join(",")}], b'x' * ${names.length})`);
    expect(result.status).toBe("ok");
    expect(result.notices.join()).toMatch(/not kept/);
    const kept = await readdir(dataDir, { recursive: true });
    expect(kept.filter((name) => basename(name) === "escaped")).toEqual([]);
  });

  test.skipIf(reason !== undefined)("changes without end are held up, not gathered in memory", async () => {
    const content = "bytes([n % 256]) * 1048576";
    const flood = `n = 0\nwhile True:\n    n += 1\n    files([['workspace', 'again', 'file', 0o644, 1048576, n, None]], ${content})`;
    const before = process.memoryUsage();
    const result = await sandbox.python.run(`${forge}\n${flood}`, { timeoutMs: 3000 });
    const after = process.memoryUsage();
    expect(["timeout", "killed"]).toContain(result.status);
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(
      heapBytes,
    );
    expect(await sandbox.python.run("6 * 7")).toMatchObject({ status: "ok" });
  });

  test.skipIf(reason !== undefined)("failures without end become a few words", async () => {
    const rows = "[['workspace', f'../{m}', 'folder', 0o755, 0, 0, None] for m in range(2000)]";
    const result = await sandbox.python.run(`${forge}\nfor _ in range(50): files(${rows})`);
    expect(result.status).toBe("ok");
    expect(result.notices.length).toBeLessThan(50);
  });

  test.skipIf(reason !== undefined)("a forged death does not hold up what comes next", async () => {
    const lie = "send({'id': channel._current.id, 'error': {'code': 'sandbox_dead', 'message': 'no'}})";
    await sandbox.python.run(`${forge}\n${lie}`).catch(() => undefined);
    expect(await sandbox.python.run("6 * 7")).toMatchObject({ status: "ok" });
    expect(await sandbox.files.list()).toBeInstanceOf(Array);
  });
});

const forge = `
import gc, json, struct
channel = next(each for each in gc.get_objects() if type(each).__name__ == "BlockingChannel")
def send(header, body=b""):
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    channel._devices.send(struct.pack(">II", len(head), len(body)) + head + body)
def files(rows, body=b""):
    text = rows if isinstance(rows, bytes) else json.dumps(rows).encode()
    send(b'{"id":1,"event":"files","data":{"changed":' + text + b',"removed":[]}}', body)
`;

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      return facts?.isFile() ? facts.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
