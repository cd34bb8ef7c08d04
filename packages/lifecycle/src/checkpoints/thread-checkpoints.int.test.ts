import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "@atoll/sandbox";
import { expect, it } from "vitest";
import { describeSandboxes, evaluate } from "../../../../tests/support/lifecycle/sandbox-suite.ts";

await describeSandboxes("checkpoints", ({ dataDir, open }) => {
  it("a branch has the files and variables of any earlier turn", async () => {
    const { sandboxes, changes } = open();
    const { sandbox } = await sandboxes.wake("cp-source", { env: { GREETING: "hello" } });
    await sandbox.python.run(firstTurn);
    await sandbox.files.write(`${sandbox.info.paths.artifacts}/result.txt`, "first result");
    const first = await sandboxes.checkpoint("cp-source", "turn-1");
    await sandbox.python.run(secondTurn);
    await sandbox.files.write(`${sandbox.info.paths.artifacts}/result.txt`, "second result");
    await sandboxes.checkpoint("cp-source", "turn-2");
    expect([first.isExact, first.files.notKept]).toEqual([true, 1]);

    const then = await sandboxes.branch("cp-source", ["turn-1"], "cp-branch-1", { env: { GREETING: "hi" } });
    expect([then.from, then.isFresh, then.isExact, then.takenAt]).toEqual([
      "new",
      false,
      true,
      first.takenAt,
    ]);
    expect(then.restored).toEqual(["os", "x", "double"]);
    expect(then.lost.map(({ name }) => name)).toEqual(["handle"]);
    expect(then.missingFiles).toMatchObject([{ root: "workspace", path: "pipe" }]);
    expect(await evaluate(then.sandbox, "x, double(2)")).toBe("([1], 4)");
    expect(JSON.parse((await then.sandbox.python.run(look)).stdout)).toEqual({
      names: ["bytes-\udcff", "closed", "deleted-later", "empty", "in-place", "link", "opened", "run.sh"],
      inPlace: "then",
      deleted: "still here",
      mode: 0o750,
      closed: 0o500,
      link: "/etc/hostname",
      greeting: "hi",
    });
    const result = `${then.sandbox.info.paths.artifacts}/result.txt`;
    expect(await then.sandbox.files.readText(result)).toBe("first result");

    const now = await sandboxes.branch("cp-source", ["turn-2"], "cp-branch-2", {});
    expect(await evaluate(now.sandbox, "x, open('in-place').read(), os.path.exists('deleted-later')")).toBe(
      "([1, 2], 'NOW!', False)",
    );
    await now.sandbox.files.write("in-place", "changed in the branch");
    expect(await evaluate(sandbox, "open('in-place').read()")).toBe("'NOW!'");
    expect(changes).toContain("cp-branch-1: new → hot, branched");
    await sandboxes.hibernate("cp-branch-1");
    expect((await sandboxes.wake("cp-branch-1", {})).restored).toContain("x");
  });

  it("a branch gets the earlier checkpoints and can be branched after its source is removed", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("cp-root", {});
    for (const turn of [1, 2, 3]) {
      await sandbox.python.run(`x = ${turn}; open('turn', 'w').write('${turn}')`);
      await sandboxes.checkpoint("cp-root", `turn-${turn}`);
    }
    const first = await sandboxes.branch("cp-root", ["turn-none", "turn-2", "turn-3"], "cp-child", {});
    expect(first.turnId).toBe("turn-2");
    await sandboxes.remove("cp-root");
    expect((await sandboxes.checkpoints("cp-child")).map(({ turnId }) => turnId)).toEqual([
      "turn-1",
      "turn-2",
    ]);
    const again = await sandboxes.branch("cp-child", ["turn-1"], "cp-grandchild", {});
    expect(await evaluate(again.sandbox, "x, open('turn').read()")).toBe("(1, '1')");
    await first.sandbox.python.run("x = 'own'");
    expect((await sandboxes.checkpoint("cp-child", "turn-4")).number).toBe(3);
  });

  it("changes by other means than Python are noticed until the next checkpoint", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("cp-touched", {});
    await sandbox.python.run("x = 1");
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(false);
    await sandbox.files.write("file", "x");
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(true);
    await sandboxes.checkpoint("cp-touched", "turn-1");
    await sandbox.files.readText("file");
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(false);
    await sandbox.python.table("gone").catch(() => {});
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(false);
    // What is typed into a shell may change files.
    const shell = await sandbox.commands.spawn("cat", { stdin: true, keepsAwake: false });
    await sandboxes.checkpoint("cp-touched", "turn-2");
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(true);
    await shell.kill();
    await shell.wait();
    await sandboxes.checkpoint("cp-touched", "turn-3");
    await sandboxes.hibernate("cp-touched");
    await sandboxes.wake("cp-touched", {});
    expect(sandboxes.hasNonPythonChanges("cp-touched")).toBe(false);
    await sandboxes.hibernate("cp-touched");
    // Another server does not know what was done with it.
    const { sandboxes: next } = open();
    await next.wake("cp-touched", {});
    expect(next.hasNonPythonChanges("cp-touched")).toBe(true);
  });

  it("checkpoints of removed threads are removed by the next server once they are old enough", async () => {
    const { sandboxes } = open();
    await sandboxes.checkpoint("cp-orphan", "turn-1");
    const folder = join(dataDir(), "checkpoints/cp-orphan");
    await open({ isKnown: () => true, orphanGraceMs: 0 }).sandboxes.adopt();
    await open({ isKnown: (id) => id !== "cp-orphan" }).sandboxes.adopt();
    expect(existsSync(folder)).toBe(true);
    await open({ isKnown: (id) => id !== "cp-orphan", orphanGraceMs: 0 }).sandboxes.adopt();
    expect(existsSync(folder)).toBe(false);
  });

  it("a checkpoint reads only what has changed, and nothing after a turn without calls", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("cp-cheap", {});
    await sandbox.python.run("for n in range(200): open(f'file-{n}', 'w').write(str(n))");
    const first = await sandboxes.checkpoint("cp-cheap", "turn-1");
    expect(first.files).toEqual({ count: 200, bytes: 490, notKept: 0 });
    await sandbox.files.readText("file-7");
    const same = await sandboxes.checkpoint("cp-cheap", "turn-2");
    expect([same.manifest, same.variables]).toEqual([first.manifest, first.variables]);
    await sandboxes.hibernate("cp-cheap");
    const cold = await sandboxes.checkpoint("cp-cheap", "turn-3");
    expect([cold.manifest, sandboxes.state("cp-cheap")]).toEqual([first.manifest, "cold"]);
    await sandbox.python.run("open('file-7', 'w').write('seven')");
    const changed = await sandboxes.checkpoint("cp-cheap", "turn-4");
    expect(changed.files.bytes).toBe(494);
    expect((await sandboxes.checkpoints("cp-cheap")).map(({ turnId }) => turnId)).toEqual([
      "turn-1",
      "turn-2",
      "turn-3",
      "turn-4",
    ]);
  });

  it("a checkpoint holds the end of its turn, also if the next turn starts at once", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("cp-racing", {});
    for (let turn = 1; turn <= 5; turn++) {
      await sandbox.python.run(`x = ${turn}; print(x, end='', file=open('turn', 'w'))`);
      const taken = sandboxes.checkpoint("cp-racing", `turn-${turn}`);
      const reading = sandbox.files.readText("turn");
      const next = [sandbox.python.run("x = 'next'"), sandbox.files.write("turn", "next")];
      expect(await reading).toBe(String(turn));
      expect((await taken).isExact).toBe(true);
      await Promise.all(next);
    }
    for (const turn of [1, 3, 5]) {
      const back = await sandboxes.branch("cp-racing", [`turn-${turn}`], `cp-racing-${turn}`, {});
      expect(await evaluate(back.sandbox, "x, open('turn').read()")).toBe(`(${turn}, '${turn}')`);
    }
  });

  it("the variables of a sandbox that ended by itself come from the last checkpoint, with its time", async () => {
    const { sandboxes } = open();
    const { sandbox } = await sandboxes.wake("cp-ended", {});
    await sandbox.python.run("x = 'recorded'");
    const { takenAt } = await sandboxes.checkpoint("cp-ended", "turn-1");
    await sandbox.python.run("x = 'later'; open('later', 'w').close()");
    await (await Sandbox.attach("cp-ended", { dataDir: dataDir() })).destroy({ keepFiles: true });

    const { sandboxes: next } = open();
    const woken = await next.wake("cp-ended", {});
    expect([woken.from, woken.isFresh, woken.restored]).toEqual(["cold", false, ["x"]]);
    expect(Date.parse(woken.variablesAt ?? "")).toBeGreaterThanOrEqual(Date.parse(takenAt) - 1000);
    expect(await evaluate(woken.sandbox, "import os; x, os.path.exists('later')")).toBe("('recorded', True)");
    await next.hibernate("cp-ended");
    expect((await next.wake("cp-ended", {})).variablesAt).toBeUndefined();
  });

  it("checkpoints stay within their budget: large files are named, old ones pruned, the latest is complete", async () => {
    const { sandboxes } = open({ checkpointBytes: 400_000 });
    const { sandbox } = await sandboxes.wake("cp-budget", {});
    await sandbox.python.run("import os; open('huge', 'wb').write(os.urandom(150_000))");
    const first = await sandboxes.checkpoint("cp-budget", "turn-1");
    expect(first.files).toMatchObject({ count: 0, notKept: 1 });
    for (let turn = 2; turn <= 12; turn++) {
      await sandbox.python.run(`open('file', 'wb').write(b'${turn} ' + os.urandom(60_000))`);
      await sandboxes.checkpoint("cp-budget", `turn-${turn}`);
    }
    const kept = await sandboxes.checkpoints("cp-budget");
    expect(kept.length).toBeLessThan(9);
    expect(kept.at(-1)?.turnId).toBe("turn-12");
    const back = await sandboxes.branch("cp-budget", ["turn-12"], "cp-budget-12", {});
    expect(back.missingFiles).toMatchObject([{ path: "huge", reason: expect.stringContaining("too large") }]);
    expect(await evaluate(back.sandbox, "open('file', 'rb').read()[:2]")).toBe("b'12'");
    await expect(sandboxes.branch("cp-budget", ["turn-5"], "cp-budget-5", {})).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("pruned"),
    });
  });

  it("a checkpoint is empty without a sandbox, and wakes a sandbox that another server left", async () => {
    const { sandboxes } = open();
    expect((await sandboxes.checkpoint("cp-never", "turn-1")).files.count).toBe(0);
    expect((await sandboxes.branch("cp-never", ["turn-1"], "cp-never-2", {})).isFresh).toBe(true);
    const { sandbox } = await sandboxes.wake("cp-left", {});
    await sandbox.files.write("file", "x");
    await sandboxes.hibernate("cp-left");
    const { sandboxes: next } = open();
    expect((await next.checkpoint("cp-left", "turn-1")).files.count).toBe(1);
    await expect(next.branch("cp-left", ["turn-1"], "cp-never-2", {})).rejects.toMatchObject({
      code: "already_exists",
    });
  });

  it("removing a thread removes its checkpoints", async () => {
    const { sandboxes } = open();
    await sandboxes.wake("cp-gone", {});
    await sandboxes.checkpoint("cp-gone", "turn-1");
    expect(existsSync(join(dataDir(), "checkpoints/cp-gone"))).toBe(true);
    await sandboxes.remove("cp-gone");
    expect(existsSync(join(dataDir(), "checkpoints/cp-gone"))).toBe(false);
    expect(await sandboxes.checkpoints("cp-gone")).toEqual([]);
  });
});

const firstTurn = `
import os
x = [1]
def double(n): return 2 * n
handle = open('opened', 'w')
print('then', end='', file=open('in-place', 'w'))
print('still here', end='', file=open('deleted-later', 'w'))
os.mkdir('empty'); os.mkfifo('pipe'); os.symlink('/etc/hostname', 'link')
print('#!', file=open('run.sh', 'w')); os.chmod('run.sh', 0o750)
open(b'bytes-\\xff', 'w').close()
os.mkdir('closed'); open('closed/in', 'w').close(); os.chmod('closed', 0o500)
`;
const secondTurn = `
x.append(2)
print('NOW!', end='', file=open('in-place', 'r+'))
os.unlink('deleted-later'); os.rmdir('empty'); os.chmod('run.sh', 0o600)
`;
const look = `
import json, os
print(json.dumps({
    'names': sorted(os.listdir('.')), 'inPlace': open('in-place').read(), 'deleted': open('deleted-later').read(),
    'mode': os.stat('run.sh').st_mode & 0o777, 'closed': os.stat('closed').st_mode & 0o777,
    'link': os.readlink('link'), 'greeting': os.environ['GREETING'],
}))
`;
