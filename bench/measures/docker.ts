import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDocker } from "../docker/docker.ts";
import type { Findings, Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";
import type { Session } from "../session.ts";
import { openWakes } from "../wakes.ts";

const POLL_MS = 50;

/** Containers that were started ahead of time. Each sample waits until the pool is full again. */
export const docker: Measure = {
  name: "docker",
  figures: [
    {
      key: "tti_docker_pool_ms",
      label: "create → first command, docker with the warm pool",
      unit: "ms",
      beside: ["tti_docker_run_ms"],
      goal: { atMost: 60 },
    },
    { key: "docker_resume_ms", label: "resume → next result, docker", unit: "ms" },
    {
      key: "docker_warm_to_hot_ms",
      label: "warm → hot, wake, docker",
      unit: "ms",
      beside: ["warm_to_hot_ms"],
    },
    {
      key: "docker_cold_to_hot_ms",
      label: "cold → hot, wake and next result, docker",
      unit: "ms",
      beside: ["cold_to_hot_ms"],
    },
    { key: "docker_rest_ms", label: "hot → cold, docker", unit: "ms", beside: ["rest_ms"] },
  ],
  async run(session) {
    await using engine = await openDocker(session);
    if ("missing" in engine) {
      progress.note(`docker: ${engine.missing}`);
      return Object.fromEntries(this.figures.map(({ key }) => [key, engine]));
    }
    if (engine.host) process.env["DOCKER_HOST"] = engine.host;
    process.env["ATOLL_POOL_IDLE_S"] = "5";
    // Awaited here, so that the engine lives until then.
    return await measure(session);
  },
};

async function measure(session: Session): Promise<Findings> {
  const create = (options = {}) => session.create({ runtime: "docker", ...options });
  const paused = await create();
  await evaluate(paused, "kept = 42");
  await using wakes = await openWakes({ dataDir: session.folder, runtime: "docker" });
  const samplers = {
    async tti_docker_pool_ms() {
      await waitForPool(session);
      const startedAt = performance.now();
      const sandbox = await create();
      const { stdout } = await sandbox.commands.run("echo $((40 + 2))");
      const tookMs = performance.now() - startedAt;
      if (stdout !== "42\n") throw new Error(`the sandbox answered ${JSON.stringify(stdout)}`);
      await session.destroy(sandbox);
      return tookMs;
    },
    async docker_resume_ms() {
      await paused.pause();
      return timeMs(async () => {
        await paused.resume();
        if ((await evaluate(paused, "kept")) !== "42") throw new Error("the variables are gone after resume");
      });
    },
    docker_warm_to_hot_ms: wakes.warmToHot,
    docker_rest_ms: wakes.rest,
    async docker_cold_to_hot_ms() {
      await waitForPool(session);
      return wakes.coldToHot();
    },
  };
  const found = await interleave(samplers, {
    rounds: session.rounds(20),
    signal: session.signal,
    name: "docker",
  });
  await session.destroy(paused);
  return found;
}

/** Two containers wait, and the processors have nothing to do with their start any more. */
async function waitForPool(session: Session): Promise<void> {
  const folder = join(session.folder, "docker/store/parked");
  for (;;) {
    session.signal.throwIfAborted();
    const names = await readdir(folder).catch(() => []);
    const sockets = names.map((name) => stat(join(folder, name, "guest.sock")).then(Boolean, () => false));
    if ((await Promise.all(sockets)).filter(Boolean).length >= 2) return void (await sleep(POLL_MS));
    await sleep(POLL_MS);
  }
}
