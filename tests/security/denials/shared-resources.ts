import { evaluate, type Suite } from "@atoll/sandbox/conformance";
import { describe, expect, it } from "vitest";
import { probe, sourceOf } from "./probe.ts";

/** By the names in `probes/take_all.py`, with how many processes hold what one cannot. */
const things = [
  { what: "watches of files", kind: "inotify", processes: 1 },
  { what: "pages of pipes", kind: "pipe", processes: 1 },
  { what: "terminals", kind: "pty", processes: 8 },
  { what: "descriptors on their way", kind: "descriptors_on_the_way", processes: 4 },
  { what: "pending signals", kind: "signal", processes: 1 },
];

/** What the kernel counts for a user or for the machine, not for a sandbox. */
export function describeSharedResources({ create, dataDir, driver }: Suite): void {
  describe("taking from other sandboxes:", () => {
    it.each(things)("$what", async ({ kind, processes }) => {
      const [attacker, bystander] = await Promise.all([create(), create()]);
      const told = Promise.withResolvers<void>();
      const holding = attacker.commands.run(["python3", "-"], {
        stdin: await sourceOf("take_all", { kind, processes }),
        timeoutMs: 100_000,
        onStdout: () => told.resolve(),
      });
      const ended = holding.catch(() => undefined);
      // It ends with its sandbox, or before it has all when the machine ends it.
      await Promise.race([told.promise, ended]);
      expect(await probe(bystander, "use_each")).toEqual(
        Object.fromEntries(things.map((thing) => [thing.kind, "ok"])),
      );
      await using another = await driver.create({ dataDir: dataDir() });
      expect(await evaluate(another, "1 + 1")).toBe("2");
    });
  });
}
