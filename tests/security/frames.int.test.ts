import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pyodideDriver } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const seed = Number(process.env["ATOLL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const kernelFrames = 50_000;
const rounds = 8;
const timeout = 600_000;
const maxGrowthBytes = 600 * 1024 * 1024;

/** Guests against Node are fuzzed beside the connection: packages/sandbox/src/guest/fuzz. */
test(
  `a kernel's frames, mutated, end in an answer or the end of that kernel (ATOLL_FUZZ_SEED=${seed})`,
  { timeout },
  async () => {
    const args = ["-m", "tests.frame_fuzz", String(seed), String(kernelFrames)];
    const child = spawn(await findPython(), args, {
      cwd: join(root, "packages/guest"),
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    console.log(stdout);
    expect(code, `${stdout}\n${stderr.slice(-4000)}`).toBe(0);
    expect(stdout).toMatch(/frames of \d+ kernels/);
  },
);

test(
  `an interpreter's frames, mutated, end in an answer or the end of that interpreter (ATOLL_FUZZ_SEED=${seed})`,
  { timeout },
  async ({ skip }) => {
    skip((await pyodideDriver.unavailableBecause()) !== undefined);
    const dataDir = await mkdtemp(join(tmpdir(), "atoll-fuzz-"));
    const sandbox = await pyodideDriver.create({ dataDir, limits: { diskBytes: 32 * 1024 * 1024 } });
    onTestFinished(async () => {
      await sandbox.destroy();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    });
    const before = process.memoryUsage().rss;
    for (let round = 0; round < rounds; round++) {
      const code = `seed = ${seed + round}\n${interpreterFuzz}`;
      const result = await sandbox.python.run(code, { timeoutMs: 60_000 }).catch((error: unknown) => error);
      expect(() => JSON.stringify(result)).not.toThrow();
      if (result instanceof Error) expect(result).toMatchObject({ name: "AtollError" });
      await sandbox.python.restart();
      expect(await sandbox.python.run("6 * 7", { timeoutMs: 60_000 })).toMatchObject({
        status: "ok",
        results: [{ text: "42" }],
      });
      expect(await sandbox.files.list()).toBeInstanceOf(Array);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(maxGrowthBytes);
  },
);

/** Sound frames for the most part, so that many are taken before one ends the interpreter. */
const interpreterFuzz = `
import gc, json, random, struct
chance = random.Random(seed)
channel = next(each for each in gc.get_objects() if type(each).__name__ == "BlockingChannel")
nasty = ["null", "true", "{}", "[]", '""', "-1", "1.5", "1e999", "NaN", "9007199254740993", '"' + "y" * 9000 + '"', "[" * 500 + "]" * 500, "[[[[]]]]", '"__proto__"', "x"]
row = lambda n: ["workspace", f"f{n % 50}", "file", 420, 1, n, None]
def sound(n):
    kind, call = chance.randrange(7), channel._current.id
    if kind == 0: return {"id": 1, "event": "files", "data": {"changed": [row(n)], "removed": []}}, b"x"
    if kind == 1: return {"id": 1, "event": "files", "data": {"changed": [], "removed": [["workspace", f"f{n % 50}"]]}}, b""
    if kind == 2: return {"id": 1, "event": "stdout", "data": {}}, b"printed"
    if kind == 3: return {"id": call, "event": "result", "data": {}}, b'{"isMain": false, "text": "t"}'
    if kind == 4: return {"id": call, "event": "value", "data": {"name": "x"}}, b""
    if kind == 5: return {"id": call + 1000, "done": {"count": 1}}, b""
    return {"id": call, "event": "page", "data": {}}, b"{}"
for n in range(1500):
    header, body = sound(n)
    head = json.dumps(header)
    if chance.random() < 0.002:
        parts = head.split(" ")
        parts[chance.randrange(len(parts))] = chance.choice(nasty)
        head = " ".join(parts)
    data = head.encode()
    channel._devices.send(struct.pack(">II", len(data), len(body)) + data + body)
`;

/** The Python that sandboxes run. */
async function findPython(): Promise<string> {
  if (process.env["ATOLL_PYTHON"]) return process.env["ATOLL_PYTHON"];
  return JSON.parse(await readFile(join(root, ".atoll/python.json"), "utf8")).python;
}
