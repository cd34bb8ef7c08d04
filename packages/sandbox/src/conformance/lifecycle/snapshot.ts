import { beforeEach, expect, it, vi } from "vitest";
import type { LostVariable, SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../run-code.ts";
import { type Ability, describeAbility, describeInside, refusal, type Suite } from "../suite.ts";

export function describeSnapshot(suite: Suite): void {
  const { create, share } = suite;
  const { has, hasContexts, hasProcesses } = describeInside(suite.driver);
  const { everything, check, checked, names } = has("pandas") ? withTables : withoutTables;
  const ability: Ability = {
    title: "snapshot and restore",
    isPresent: suite.driver.capabilities.snapshot,
    calls: (sandbox: SandboxHandle) => [sandbox.snapshot(), sandbox.restore()],
  };
  describeAbility(suite, ability, () => {
    const shared = share();
    beforeEach(() => shared().python.restart());

    it("bring back values, imports and definitions", async () => {
      const sandbox = shared();
      await runOk(sandbox, everything);
      const snapshot = await sandbox.snapshot();
      expect(snapshot.saved).toEqual(
        expect.arrayContaining([...names, "number", "sqrt", "double", "Point", "point", "scaled"]),
      );
      expect(snapshot.lost).toEqual([]);
      expect(snapshot.sizeBytes).toBe((await sandbox.files.stat(snapshot.path)).sizeBytes);
      expect(snapshot.path.startsWith(`${sandbox.info.paths.session}/`)).toBe(true);

      await sandbox.python.restart();
      const restored = await sandbox.restore();
      expect(restored.restored).toEqual(expect.arrayContaining([...snapshot.saved]));
      expect(await evaluate(sandbox, check)).toBe(checked);
    });

    it("bring variables back after the sandbox was destroyed", async () => {
      const sandbox = await create();
      await runOk(sandbox, everything);
      await sandbox.snapshot();
      await sandbox.destroy({ keepFiles: true });
      const again = await create({ id: sandbox.id });
      await again.restore();
      expect(await evaluate(again, check)).toBe(checked);
    });

    it("leave the kernel as it is", async () => {
      const sandbox = shared();
      await runOk(sandbox, everything);
      await sandbox.snapshot();
      expect(await evaluate(sandbox, check)).toBe(checked);
    });

    it("replace the variables of now by those of then", async () => {
      const sandbox = shared();
      await runOk(sandbox, "value = 'then'");
      await sandbox.snapshot();
      await runOk(sandbox, "value = 'now'; later = 1");
      await sandbox.restore();
      expect(await evaluate(sandbox, "value, 'later' in globals()")).toBe("('then', False)");
    });

    it("add some variables to those that are there", async () => {
      const sandbox = shared();
      await runOk(sandbox, "one = 1; two = [2]; three = 3\ndef double(x): return two * x");
      const path = `${sandbox.info.paths.session}/.snapshots/part`;
      const saved = await sandbox.snapshot({ path, leaveOut: ["three"] });
      expect(saved).toMatchObject({ path, saved: ["one", "two", "double"], lost: [] });
      expect((await sandbox.snapshot({ path: `${path}-2`, only: ["three"] })).saved).toEqual(["three"]);
      await runOk(sandbox, "one = 'other'; three = 'mine'; gone = 1");
      const added = await sandbox.restore({ path, isAdded: true, forget: ["gone", "one"] });
      expect(added.restored).toEqual(["one", "two", "double"]);
      expect(await evaluate(sandbox, "one, double(2), three, 'gone' in globals()")).toBe(
        "(1, [2, 2], 'mine', False)",
      );
    });

    it("list what cannot be saved by name and type, and save the rest", async () => {
      const sandbox = shared();
      await runOk(sandbox, hasProcesses ? unsavable : unsavable.replace("socket.socket()", socketLike));
      const { saved, lost } = await sandbox.snapshot();
      expect(saved).toEqual(expect.arrayContaining(["first", "last", "Refuses"]));
      expect(typesOf(lost)).toEqual({
        opened: "TextIOWrapper",
        generator: "generator",
        lock: "lock",
        refuses: "Refuses",
        connection: "socket",
      });
      for (const { reason } of lost) expect(reason).toMatch(/\S/);
      await sandbox.restore();
      expect(await evaluate(sandbox, "first, last")).toBe("(1, 2)");
    });

    it("list what cannot be brought back, and bring back the rest", async () => {
      const sandbox = shared();
      await runOk(
        sandbox,
        "first = 1\nclass Sour:\n    def __setstate__(self, state): raise ValueError('sour')\nsour = Sour(); sour.x = 1\nlast = 2",
      );
      const saved = await sandbox.snapshot();
      const { restored, lost } = await sandbox.restore();
      expect(restored).toEqual(expect.arrayContaining(["first", "last"]));
      // A sandbox of two kernels brings values together for a snapshot, and sees it then.
      expect([...saved.lost, ...lost]).toMatchObject([
        { name: "sour", reason: expect.stringContaining("sour") },
      ]);
      expect(await evaluate(sandbox, "first, last")).toBe("(1, 2)");
    });

    it("lose values that are larger than asked for", async () => {
      const sandbox = shared();
      await runOk(sandbox, "import os\nsmall = 1\nlarge = os.urandom(3_000_000)");
      const { saved, lost } = await sandbox.snapshot({ maxValueBytes: 1_000_000 });
      expect([saved.includes("small"), typesOf(lost)]).toEqual([true, { large: "bytes" }]);
    });

    it("keep the whole file within the size asked for", async () => {
      const sandbox = shared();
      await runOk(sandbox, "import os\nfor n in range(10): globals()[f'part{n}'] = os.urandom(500_000)");
      const { sizeBytes, saved, lost } = await sandbox.snapshot({ maxBytes: 2_000_000 });
      expect(sizeBytes).toBeLessThan(3_000_000);
      expect(saved.filter((name) => name.startsWith("part")).length + lost.length).toBe(10);
      expect(lost.length).toBeGreaterThan(0);
    });

    it.runIf(hasContexts)("keep contexts apart", async () => {
      const sandbox = shared();
      await sandbox.python.createContext({ name: "other" });
      await runOk(sandbox, "x = 'default'");
      await runOk(sandbox, "x = 'other'", { context: "other" });
      const paths = [(await sandbox.snapshot()).path, (await sandbox.snapshot({ context: "other" })).path];
      expect(new Set(paths).size).toBe(2);
      await runOk(sandbox, "x = 'changed'", { context: "other" });
      await sandbox.restore({ context: "other" });
      expect(await evaluate(sandbox, "x", { context: "other" })).toBe("'other'");
      expect(await evaluate(sandbox, "x")).toBe("'default'");
    });

    it("can be made from a file", async () => {
      const sandbox = shared();
      await runOk(sandbox, "x = 'saved first'");
      const { path } = await sandbox.snapshot();
      await sandbox.files.write("copy", await sandbox.files.read(path));
      await runOk(sandbox, "x = 'saved second'");
      await sandbox.snapshot();
      await sandbox.restore({ path: "copy" });
      expect(await evaluate(sandbox, "x")).toBe("'saved first'");
    });

    it("can be given up, and the kernel goes on with its variables", async () => {
      const sandbox = shared();
      await runOk(sandbox, "import os\nmany = [os.urandom(2_000_000) for _ in range(40)]\nx = 5");
      const abort = new AbortController();
      const snapshot = sandbox.snapshot({ signal: abort.signal });
      await vi.waitFor(async () => expect((await sandbox.python.contexts())[0]?.isBusy).toBe(true), 90_000);
      abort.abort();
      await expect(snapshot).rejects.toMatchObject(refusal("aborted"));
      expect(await evaluate(sandbox, "x, len(many)")).toBe("(5, 40)");
      expect((await sandbox.snapshot()).saved).toContain("many");
    });

    it("refuse what is not there or is no snapshot", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = 1");
      await expect(sandbox.restore()).rejects.toMatchObject(refusal("not_found"));
      await expect(sandbox.restore({ path: "missing" })).rejects.toMatchObject(refusal("not_found"));
      await expect(sandbox.snapshot({ context: "missing" })).rejects.toMatchObject(refusal("not_found"));
      await sandbox.files.write("text", "this is no snapshot");
      await expect(sandbox.restore({ path: "text" })).rejects.toMatchObject(refusal("snapshot_invalid"));
      expect(await evaluate(sandbox, "kept")).toBe("1");
    });
  });
}

const definitions = `
from math import sqrt
number, text = 7, "grün"
def double(x):
    """Uses a global and another name."""
    return sqrt(x * x) * 2 + number
class Point:
    def __init__(self, x): self.x = x
    def scale(self, by): return Point(self.x * by)
point = Point(3)
scaled = lambda by: point.scale(by).x
`;

const withTables = {
  everything: `import numpy as np, pandas as pd\nframe = pd.DataFrame({"a": np.arange(3)})\n${definitions}`,
  names: ["frame", "np", "pd"],
  check:
    "number, text, int(frame.a.sum()), double(2), point.scale(2).x, isinstance(point, Point), scaled(5), pd.isna(np.nan)",
  checked: "(7, 'grün', 3, 11.0, 6, True, 15, True)",
};
const withoutTables = {
  everything: `import json, decimal\nframe = {"a": [0, 1, 2], "b": decimal.Decimal("1.5")}\n${definitions}`,
  names: ["frame", "json", "decimal"],
  check:
    "number, text, sum(frame['a']), double(2), point.scale(2).x, isinstance(point, Point), scaled(5), json.loads('true')",
  checked: "(7, 'grün', 3, 11.0, 6, True, 15, True)",
};

/** Where none can be made. */
const socketLike = 'type("socket", (), {"__reduce_ex__": lambda *_: 1 / 0})()';

const unsavable = `
import socket, threading
first = 1
opened = open("opened.txt", "w")
generator = (n for n in range(3))
lock = threading.Lock()
connection = socket.socket()
class Refuses:
    def __reduce_ex__(self, protocol): raise RuntimeError("never")
refuses = Refuses()
last = 2
`;

function typesOf(lost: readonly LostVariable[]): Record<string, string> {
  return Object.fromEntries(lost.map(({ name, type }) => [name, type.split(".").at(-1) ?? ""]));
}
