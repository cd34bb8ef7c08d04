import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { findOnHost } from "../host-processes.ts";
import { everyCall } from "./pause.ts";
import { evaluate, py, runOk, startWaiting } from "../run-code.ts";
import { expectRefusals, type Suite } from "../suite.ts";

export function describeLifecycle({ driver, create }: Suite): void {
  describe("destroy", () => {
    it("ends everything, any number of times", async () => {
      const sandbox = await create();
      await Promise.all([sandbox.destroy(), sandbox.destroy()]);
      await sandbox.destroy();
      expect(await sandbox.state()).toBe("dead");
      await expectRefusals("sandbox_dead", everyCall(sandbox));
    });

    it("ends a paused sandbox", async () => {
      const sandbox = await create();
      if (driver.capabilities.pause) await sandbox.pause();
      await sandbox.destroy();
      expect(await sandbox.state()).toBe("dead");
    });

    it("ends a run that is going", async () => {
      const sandbox = await create();
      const { result } = await startWaiting(sandbox);
      await sandbox.destroy();
      const outcome = await result.then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      );
      expect(["killed", "sandbox_dead"]).toContain(outcome);
    });

    it.runIf(driver.capabilities.shell)("leaves no process on the host", async () => {
      const marker = `atoll-${randomUUID()}`;
      const sandbox = await create();
      const detached = `setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' ${marker} >/dev/null 2>&1 &`;
      await sandbox.commands.spawn(["sh", "-c", "sleep 1000; true", marker]);
      await sandbox.commands.run(detached);
      await sandbox.destroy();
      await vi.waitFor(async () => expect(await findOnHost(marker)).toEqual([]), 90_000);
    });

    it("removes the files", async () => {
      const sandbox = await create();
      const { artifactMap } = await runOk(
        sandbox,
        `open(${py(`${sandbox.info.paths.artifacts}/file.txt`)}, 'w').write('x')`,
      );
      await sandbox.destroy();
      expect(Object.values(artifactMap).filter((path) => existsSync(path))).toEqual([]);
      const again = await create({ id: sandbox.id });
      expect(await again.files.list()).toEqual([]);
    });

    it("keeps the files when asked, for a sandbox of the same id", async () => {
      const sandbox = await create();
      await runOk(sandbox, "gone = 1");
      await sandbox.files.write("deep/kept.txt", "kept");
      await sandbox.files.write(`${sandbox.info.paths.artifacts}/kept.txt`, "kept too");
      await sandbox.destroy({ keepFiles: true });
      const again = await create({ id: sandbox.id });
      expect(await again.files.readText("deep/kept.txt")).toBe("kept");
      expect(await again.files.readText(`${again.info.paths.artifacts}/kept.txt`)).toBe("kept too");
      expect(await evaluate(again, "'gone' in globals()")).toBe("False");
    });

    it("happens at the end of an `await using`", async () => {
      const sandbox = await create();
      await sandbox[Symbol.asyncDispose]();
      expect(await sandbox.state()).toBe("dead");
    });
  });

  describe("a restricted sandbox", () => {
    it("can be used, but not paused, saved or destroyed", async () => {
      const restricted = (await create()).restricted();
      expect(await evaluate(restricted, "6 * 7")).toBe("42");
      for (const name of [
        "pause",
        "resume",
        "snapshot",
        "restore",
        "fork",
        "trees",
        "destroy",
        "detach",
        "restricted",
        "state",
      ]) {
        expect([name, Reflect.get(restricted, name)]).toEqual([name, undefined]);
      }
      expect(Reflect.get(restricted, Symbol.asyncDispose)).toBeUndefined();
    });
  });
}
