import { expect, it } from "vitest";
import type { Sandbox, SandboxHandle } from "../../contract/sandbox.ts";
import { evaluate, evaluateJson, runOk, startWaiting } from "../run-code.ts";
import { type Ability, describeAbility, describeInside, expectRefusals, type Suite } from "../suite.ts";

export function describePause(suite: Suite): void {
  const { driver, create } = suite;
  const ability: Ability = {
    title: "pause and resume",
    isPresent: driver.capabilities.pause,
    calls: (sandbox: SandboxHandle) => [sandbox.pause(), sandbox.resume()],
  };
  describeAbility(suite, ability, () => {
    it("keep the variables, any number of times", async () => {
      const sandbox = await create();
      await runOk(sandbox, "kept = [1, 2, 3]");
      await Promise.all([sandbox.pause(), sandbox.pause()]);
      await sandbox.pause();
      expect(await sandbox.state()).toBe("paused");
      await Promise.all([sandbox.resume(), sandbox.resume()]);
      await sandbox.resume();
      expect(await sandbox.state()).toBe("running");
      expect(await evaluate(sandbox, "kept")).toBe("[1, 2, 3]");
    });

    it("refuse every other call in between", async () => {
      const sandbox = await create();
      await sandbox.pause();
      await expectRefusals("sandbox_paused", everyCall(sandbox));
      if (driver.capabilities.snapshot)
        await expectRefusals("sandbox_paused", [sandbox.snapshot(), sandbox.restore()]);
      await sandbox.resume();
      expect(await evaluate(sandbox, "1 + 1")).toBe("2");
    });

    it("make a run stand still and go on", async () => {
      const [frozen, clock] = await Promise.all([create(), create()]);
      const run = await (describeInside(driver).hasProcesses ? startTicking : startTickingAlone)(frozen);
      await frozen.pause();
      // Another sandbox measures the time that passes meanwhile: it ends once it has ticked as often as it should.
      const passed = await evaluateJson<number[]>(
        clock,
        "import json, time\nticks = []\nfor _ in range(40):\n    ticks.append(time.time())\n    time.sleep(0.005)\nprint(json.dumps(ticks))",
      );
      await frozen.resume();
      const { status, stdout } = await run.release();
      expect(status).toBe("ok");
      const [first, last] = [passed[0] ?? 0, passed.at(-1) ?? 0];
      const ticks = JSON.parse(stdout.split("\n").at(-2) ?? "[]") as number[];
      expect(ticks.filter((tick) => tick > first && tick < last)).toEqual([]);
      expect(ticks.some((tick) => tick <= first) && ticks.some((tick) => tick >= last)).toBe(true);
    });

    it("do not disturb a sandbox that is used by the way", async () => {
      const [paused, other] = await Promise.all([create(), create()]);
      await paused.pause();
      expect(await evaluate(other, "6 * 7")).toBe("42");
    });
  });
}

/** One call of each kind that needs a running sandbox. */
export function everyCall(sandbox: Sandbox): Promise<unknown>[] {
  const { shell, ports } = sandbox.info.capabilities;
  return [
    sandbox.python.run("1"),
    sandbox.python.contexts(),
    sandbox.files.readText("any"),
    sandbox.files.write("any", "x"),
    sandbox.files.list(),
    sandbox.env.get("ANY"),
    sandbox.processes.list(),
    sandbox.metrics(),
    ...(shell ? [sandbox.commands.run("true"), sandbox.commands.list()] : []),
    ...(ports ? [sandbox.ports.list()] : []),
  ];
}

/** A run that notes the time again and again, and prints all it noted at its end. */
function startTicking(sandbox: Sandbox): ReturnType<typeof startWaiting> {
  const before = `
import json, threading, time
ticks, stop = [], threading.Event()
def tick():
    while not stop.wait(0.002): ticks.append(time.time())
ticker = threading.Thread(target=tick)
ticker.start()
while not ticks: time.sleep(0.001)
`;
  // One more tick is sure to come after the run was let go on.
  const after =
    "seen = len(ticks)\nwhile len(ticks) == seen: time.sleep(0.001)\nstop.set()\nticker.join()\nprint(json.dumps(ticks))";
  return startWaiting(sandbox, { before, after });
}

/** The same without a thread: it ticks where it waits. */
function startTickingAlone(sandbox: Sandbox): ReturnType<typeof startWaiting> {
  const before = `
import json, os as _os, time
ticks, exists = [time.time()], _os.path.exists
def ticking_exists(path):
    ticks.append(time.time())
    return exists(path)
_os.path.exists = ticking_exists
`;
  const after = "_os.path.exists = exists\nticks.append(time.time())\nprint(json.dumps(ticks))";
  return startWaiting(sandbox, { before, after });
}
