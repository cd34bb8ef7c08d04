import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import type { SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate, runOk } from "../run-code.ts";
import { type Ability, describeAbility, expectRefusals, refusal, type Suite } from "../suite.ts";

export function describeSurvival(suite: Suite, module: string | undefined): void {
  const { driver, create, dataDir } = suite;
  const here = () => ({ dataDir: dataDir() });
  const calls = (sandbox: SandboxHandle) => [
    driver.attach(sandbox.id, here()),
    driver.list(here()),
    sandbox.detach(),
  ];
  const ability: Ability = {
    title: "attach and list",
    isPresent: driver.capabilities.attach !== false,
    calls,
  };
  describeAbility(suite, ability, () => {
    const attach = async (id: string) => {
      const sandbox = await driver.attach(id, here());
      onTestFinished(() => sandbox.destroy().catch(() => undefined));
      return sandbox;
    };
    const stateOf = async (id: string) =>
      (await driver.list(here())).find((listing) => listing.id === id)?.state;

    it("find the living sandboxes", async () => {
      const sandbox = await create({ labels: { thread: "t7" } });
      const listing = (await driver.list(here())).find(({ id }) => id === sandbox.id);
      expect(listing).toMatchObject({
        id: sandbox.id,
        state: "running",
        info: { driver: driver.name, labels: { thread: "t7" } },
      });
      await sandbox.destroy();
      expect([undefined, "dead"]).toContain(await stateOf(sandbox.id));
    });

    it("join a sandbox that somebody else holds", async () => {
      const sandbox = await create();
      await runOk(sandbox, "shared = 1");
      const second = await attach(sandbox.id);
      await runOk(second, "shared += 1");
      expect(await evaluate(sandbox, "shared")).toBe("2");
      expect(second.info).toEqual(sandbox.info);
    });

    it("come back to a sandbox that was let go", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = 'yes'");
      await sandbox.files.write("kept.txt", "yes");
      await sandbox.detach();
      await sandbox.detach();
      const again = await attach(sandbox.id);
      expect(await evaluate(again, "kept, open('kept.txt').read()")).toBe("('yes', 'yes')");
    });

    it.runIf(driver.capabilities.shell)("find background commands and their output again", async () => {
      const sandbox = await create();
      const { commandId } = await sandbox.commands.spawn(
        "echo before; until [ -e go ]; do sleep 0.01; done; echo after",
      );
      await sandbox.detach();
      const again = await attach(sandbox.id);
      await again.files.write("go", "");
      const command = await again.commands.get(commandId);
      expect((await command.wait()).exitCode).toBe(0);
      expect((await command.output()).stdout.text).toBe("before\nafter\n");
    });

    it.runIf(driver.capabilities.pause)("find a paused sandbox paused", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = 1");
      await sandbox.pause();
      await sandbox.detach();
      expect(await stateOf(sandbox.id)).toBe("paused");
      const again = await attach(sandbox.id);
      expect(await again.state()).toBe("paused");
      await again.resume();
      expect(await evaluate(again, "kept")).toBe("1");
    });

    it("do not find what never was or is gone", async () => {
      await expect(driver.attach("never-was-1", here())).rejects.toMatchObject(refusal("not_found"));
      await expect(driver.attach("../../etc", here())).rejects.toMatchObject(refusal("invalid_argument"));
      const sandbox = await create();
      await sandbox.destroy({ keepFiles: true });
      await expect(driver.attach(sandbox.id, here())).rejects.toMatchObject(refusal("sandbox_dead"));
    });

    it("tell every holder when one of them destroys it", async () => {
      const sandbox = await create();
      const second = await attach(sandbox.id);
      await second.destroy();
      await vi.waitFor(async () => expect(await sandbox.state()).toBe("dead"), 90_000);
      await expectRefusals("sandbox_dead", [sandbox.python.run("1")]);
    });

    it("lose a sandbox that nobody held for too long", async () => {
      const sandbox = await create({ orphanTimeoutMs: 200 });
      await sandbox.detach();
      await vi.waitFor(async () => expect([undefined, "dead"]).toContain(await stateOf(sandbox.id)), 90_000);
    });

    it("keep a sandbox that somebody holds", async () => {
      const [held, orphan] = await Promise.all([
        create({ orphanTimeoutMs: 200 }),
        create({ orphanTimeoutMs: 200 }),
      ]);
      await runOk(held, "kept = 1");
      await orphan.detach();
      await vi.waitFor(async () => expect([undefined, "dead"]).toContain(await stateOf(orphan.id)), 90_000);
      expect(await evaluate(held, "kept")).toBe("1");
    });

    const isJoinedByOthers = driver.capabilities.attach === true;
    it.runIf(module !== undefined)(
      "find the sandbox of a process that was killed, or its files",
      async () => {
        const maker = spawn(
          process.execPath,
          ["--input-type=module", "--eval", makeAndWait, module ?? "", driver.name, dataDir()],
          {
            stdio: ["ignore", "pipe", "inherit"],
          },
        );
        onTestFinished(() => void maker.kill("SIGKILL"));
        const [line] = (await Promise.race([once(maker.stdout, "data"), once(maker, "exit")])) as [unknown];
        const id = String(line).trim();
        maker.kill("SIGKILL");
        await once(maker, "close");
        if (isJoinedByOthers) {
          expect(await evaluate(await attach(id), "left_behind")).toBe("42");
          return;
        }
        await expect(attach(id)).rejects.toMatchObject(refusal("sandbox_dead"));
        expect(await stateOf(id)).toBe("dead");
        const again = await create({ id });
        expect(await evaluate(again, "open('left.txt').read()")).toBe("'left'");
      },
    );
  });
}

/** Another process: makes a sandbox, leaves a variable in it, says its id, and waits to be killed. */
const makeAndWait = `
const [module, name, dataDir] = process.argv.slice(1);
const driver = Object.values(await import(module)).find((exported) => exported?.name === name && exported.create);
const sandbox = await driver.create({ dataDir });
await sandbox.python.run("left_behind = 42; open('left.txt', 'w').write('left')");
console.log(sandbox.id);
setInterval(() => undefined, 1 << 30);
`;
