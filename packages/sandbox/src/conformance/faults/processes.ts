import { describe, expect, it } from "vitest";
import { evaluate, runOk, startWaiting } from "../run-code.ts";
import { expectRefusals, refusal, type Suite } from "../suite.ts";
import { expectUsable } from "./bystander.ts";
import type { FaultHooks } from "./index.ts";

export function describeProcessFaults({ driver, create, dataDir }: Suite, hooks: FaultHooks): void {
  describe("a process of the sandbox's own machinery", () => {
    it.runIf(hooks.killZygote)("the zygote, killed, is replaced, and sandboxes live on", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = 'yes'");
      await hooks.killZygote?.(sandbox);
      expect(await evaluate(sandbox, "kept")).toBe("'yes'");
      await expectUsable(sandbox);
      await expectUsable(await create());
      await sandbox.destroy();
      expect(await sandbox.state()).toBe("dead");
    });

    it.runIf(hooks.killZygote)(
      "the zygote, killed meanwhile, costs at most the sandboxes being made",
      async () => {
        const sandbox = await create();
        const creating = Array.from({ length: 5 }, () => create());
        const [made] = await Promise.all([Promise.allSettled(creating), hooks.killZygote?.(sandbox)]);
        for (const outcome of made) {
          if (outcome.status === "fulfilled") await expectUsable(outcome.value);
          else expect(outcome.reason).toMatchObject(refusal("runtime_unavailable"));
        }
        await expectUsable(sandbox);
        await expectUsable(await create());
      },
    );

    it.runIf(hooks.killSupervisor)(
      "the supervisor, killed, ends the sandbox and keeps its files",
      async () => {
        const sandbox = await create();
        await sandbox.files.write("kept.txt", "yes");
        const { result } = await startWaiting(sandbox);
        await hooks.killSupervisor?.(sandbox);
        const outcome = await result.then(
          ({ status }) => status,
          (error: { code: string }) => error.code,
        );
        expect(["killed", "sandbox_dead"]).toContain(outcome);
        await expectRefusals("sandbox_dead", [
          sandbox.python.run("1"),
          sandbox.files.list(),
          sandbox.metrics(),
        ]);
        expect(await sandbox.state()).toBe("dead");
        const listed = driver.capabilities.attach ? await driver.list({ dataDir: dataDir() }) : [];
        expect(listed.filter(({ id, state }) => id === sandbox.id && state !== "dead")).toEqual([]);

        const again = await create({ id: sandbox.id });
        expect(await again.files.readText("kept.txt")).toBe("yes");
        await expectUsable(again);
      },
    );

    it.runIf(driver.capabilities.isolation)("the first, signalled from inside, stays", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = 'yes'");
      await sandbox.python.run(signalFirst);
      expect(await evaluate(sandbox, "kept")).toBe("'yes'");
      await expectUsable(sandbox);
    });
  });
}

const signalFirst = `
import os, signal
for number in signal.valid_signals():
    try:
        os.kill(1, number)
    except OSError:
        pass
`;
