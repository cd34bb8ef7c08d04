import type { Sandbox } from "@atoll/sandbox";
import type { Suite } from "@atoll/sandbox/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluateJson } from "@atoll/sandbox/conformance";
import { sourceOf } from "./probe.ts";

type Draws = Record<string, unknown>;

const sources = ["random", "random.Random", "random.SystemRandom"];
const numpySources = ["numpy.random", "numpy.random.default_rng"];
const systemSources = ["os.urandom", "uuid.uuid4", "uuid.uuid1", "secrets", "tempfile"];

export function describeRandomness({ driver, share }: Suite): void {
  const { contexts = true, lacks = [] } = driver.capabilities;
  const drawn = [...sources, ...systemSources, ...(lacks.includes("numpy") ? [] : numpySources)];

  describe("guessing what another kernel draws from", () => {
    const boxes = [share(), share(), share()];
    const draws: Draws[] = [];

    beforeAll(async () => {
      const code = await sourceOf("random_draws", {});
      const draw = (sandbox: Sandbox, context = "default") => evaluateJson<Draws>(sandbox, code, { context });
      for (const box of boxes) {
        const sandbox = box();
        if (contexts) await sandbox.python.createContext({ name: "second" });
        draws.push(await draw(sandbox), ...(contexts ? [await draw(sandbox, "second")] : []));
        await sandbox.python.restart();
        draws.push(await draw(sandbox));
        await sandbox.python.run("import os; os._exit(1)");
        draws.push(await draw(sandbox));
      }
    });

    it.each(drawn)("%s", (source) => {
      const values = draws.map((draw) => draw[source]).flat();
      expect(values.length).toBeGreaterThanOrEqual(contexts ? 12 : 9);
      expect(values).not.toContain(undefined);
      expect(new Set(values).size).toBe(values.length);
    });
  });
}
