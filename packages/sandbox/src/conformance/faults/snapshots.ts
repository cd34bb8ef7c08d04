import { describe, expect, it } from "vitest";
import { evaluate, runOk } from "../run-code.ts";
import { refusal, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";

export function describeSnapshotFaults({ driver, create }: Suite): void {
  describe.runIf(driver.capabilities.snapshot)("a snapshot file", () => {
    it("that is cut short is refused, wherever it was cut, and the kernel goes on", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = list(range(1000)); import os; other = os.urandom(5000)");
      const { path } = await sandbox.snapshot();
      const whole = await sandbox.files.read(path);
      for (const length of [0, 1, 10, whole.length >> 1, whole.length - 1]) {
        await sandbox.files.write("cut", whole.subarray(0, length));
        await expect(sandbox.restore({ path: "cut" })).rejects.toMatchObject(refusal("snapshot_invalid"));
      }
      await sandbox.files.write(path, whole.subarray(0, whole.length - 1));
      await expect(sandbox.restore()).rejects.toMatchObject(refusal("snapshot_invalid"));
      expect(await evaluate(sandbox, "sum(kept)")).toBe("499500");
      await expectUsable(sandbox);
    });

    it("with a changed byte is refused or brings back what is sound", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = list(range(1000))");
      const { path } = await sandbox.snapshot();
      const bytes = Buffer.from(await sandbox.files.read(path));
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
      await sandbox.files.write("changed", bytes);
      const outcome = await sandbox.restore({ path: "changed" }).then(
        () => "restored",
        (error: { code: string }) => error.code,
      );
      expect(["restored", "snapshot_invalid"]).toContain(outcome);
      await expectUsable(sandbox);
    });

    it("with a value that ends the kernel which restores it brings back the others", async () => {
      const sandbox = await create();
      await runOk(
        sandbox,
        "import os\nclass Bomb:\n    def __reduce__(self): return os._exit, (7,)\nbomb = Bomb(); kept = 42",
      );
      expect((await sandbox.snapshot()).saved).toContain("bomb");
      const { restored, lost } = await sandbox.restore();
      expect(restored).toEqual(expect.arrayContaining(["kept", "Bomb"]));
      expect(lost).toMatchObject([{ name: "bomb", reason: expect.stringMatching(/crash/) }]);
      expect(await evaluate(sandbox, "kept")).toBe("42");
    });

    it("is not replaced by the nothing that a kernel left which ended by itself", async () => {
      const sandbox = await create();
      const pid = await evaluate(sandbox, "import os\nkept = 42\nos.getpid()");
      await sandbox.snapshot();
      await sandbox.processes.kill(Number(pid));
      await expect(sandbox.snapshot()).rejects.toMatchObject(refusal("not_found"));
      expect((await sandbox.restore()).restored).toContain("kept");
      expect(await evaluate(sandbox, "kept")).toBe("42");
    });

    it("of values that fight back leaves the kernel usable", async () => {
      const sandbox = await create();
      await runOk(sandbox, fighters);
      const { saved, lost } = await sandbox.snapshot({ timeoutMs: 30_000 });
      expect(saved).toEqual(expect.arrayContaining(["first", "last"]));
      expect(lost.map(({ name }) => name)).toEqual(expect.arrayContaining(["deep", "exits"]));
      expect(await evaluate(sandbox, "first, last")).toBe("(1, 2)");
      await expectUsable(sandbox);
    });
  });
}

const fighters = `
first = 1
deep = []
for _ in range(100_000): deep = [deep]
class Exits:
    def __reduce__(self): raise SystemExit(3)
exits = Exits()
last = 2
`;
