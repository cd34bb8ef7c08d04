import { expect, it, onTestFinished, vi } from "vitest";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate, runOk, startWaiting } from "../run-code.ts";
import { type Ability, describeAbility, refusal, type Suite } from "../suite.ts";

/** Owners that take turns: a later one ends what an earlier one, which may only have slept, still has. */
export function describeFence(suite: Suite): void {
  const { driver, create, dataDir } = suite;
  const calls = (sandbox: SandboxHandle) => [driver.attach(sandbox.id, { dataDir: dataDir(), fence: 1 })];
  const ability: Ability = { title: "a fence", isPresent: driver.capabilities.attach !== false, calls };
  describeAbility(suite, ability, () => {
    const attach = async (id: string, fence?: number) => {
      const sandbox = await driver.attach(id, {
        dataDir: dataDir(),
        fence,
      });
      onTestFinished(() => sandbox.destroy().catch(() => undefined));
      return sandbox;
    };

    it("ends the connection and the running code of the owner before, and the new one has all variables", async () => {
      const before = await create({ fence: 1 });
      await runOk(before, "kept = 41");
      const { result } = await startWaiting(before);
      const [after] = await Promise.all([
        attach(before.id, 2),
        expect(result).rejects.toMatchObject(refusal("sandbox_dead")),
      ]);
      expect(await evaluate(after, "kept + 1")).toBe("42");
      await expect(before.files.write("late.txt", "x")).rejects.toMatchObject(refusal("sandbox_dead"));
      expect(await after.files.exists("late.txt")).toBe(false);
    });

    it("ends who came without one, and streams of its own connection", async () => {
      const before = await create();
      const watch = before.files.watch("/workspace")[Symbol.asyncIterator]();
      const ended = watch.next().then(
        ({ done }) => done,
        () => true,
      );
      const after = await attach(before.id, 1);
      expect(await ended).toBe(true);
      await expect(before.python.run("1")).rejects.toMatchObject(refusal("sandbox_dead"));
      expect(await evaluate(after, "1 + 1")).toBe("2");
    });

    it("refuses the owner before when it comes back, and whoever names none", async () => {
      const first = await create({ fence: 5 });
      const second = await attach(first.id, 9);
      await expect(attach(first.id, 5)).rejects.toMatchObject(refusal("not_owner"));
      const nameless = await attach(first.id);
      await expect(nameless.python.run("1")).rejects.toMatchObject(refusal("not_owner"));
      await nameless.detach();
      expect(await evaluate(second, "1 + 1")).toBe("2");
    });

    it("lets the same owner join as often as it likes", async () => {
      const first = await create({ fence: 3 });
      const again = await attach(first.id, 3);
      await runOk(again, "shared = 1");
      expect(await evaluate(first, "shared")).toBe("1");
      await again.files.write("shared.txt", "yes");
      for await (const chunk of first.files.readStream("shared.txt").values()) expect(chunk).toBeDefined();
    });

    it("does not keep a sandbox that nobody else holds", async () => {
      const sandbox = await create({ fence: 2, orphanTimeoutMs: 200 });
      await expect(attach(sandbox.id, 1)).rejects.toMatchObject(refusal("not_owner"));
      await sandbox.detach();
      const state = async () =>
        (await driver.list({ dataDir: dataDir() })).find(({ id }) => id === sandbox.id)?.state;
      await vi.waitFor(async () => expect([undefined, "dead"]).toContain(await state()), 90_000);
    });

    it.each([0, -1, 1.5, Number.NaN])("is a whole number above 0, not %d", async (fence) => {
      await expect(create({ fence })).rejects.toMatchObject(refusal("invalid_argument"));
    });
  });
}
