import { expect, it } from "vitest";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";
import {
  describeSandboxes,
  evaluate,
  type SandboxSuite,
} from "../../../tests/support/lifecycle/sandbox-suite.ts";

const cycles = 100;
const minuteMs = 60_000;

/** Containers of the tests have no pandas imported: to import it a hundred times would take most of the time. */
const tables = {
  local: { library: "pandas as pd", make: "pd.DataFrame({'n': seen})", sum: "int(df.n.sum())" },
  docker: { library: "json", make: "{'n': list(seen)}", sum: "sum(df['n'])" },
};

const define = ({ open, runtime }: SandboxSuite) => {
  const table = runtime === "docker" ? tables.docker : tables.local;

  it(
    `keeps every file and variable over ${cycles} times hot → warm → cold → hot`,
    { timeout: 600_000 },
    async () => {
      const clock = new ManualClock();
      const { sandboxes, changes } = open({ clock, warmAfterMs: minuteMs, coldAfterMs: 10 * minuteMs });
      const become = async (state: string) => {
        clock.advance(10 * minuteMs);
        await expect.poll(() => sandboxes.state("thread-cycling"), { interval: 1 }).toBe(state);
      };
      const { sandbox } = await sandboxes.wake("thread-cycling", {});
      await sandbox.python.run(`import ${table.library}\nseen = []\ndef double(x): return 2 * x`);
      for (let cycle = 1; cycle <= cycles; cycle++) {
        const change = `seen.append(${cycle}); df = ${table.make}`;
        await sandbox.python.run(`${change}; print(${cycle}, file=open('grows', 'a'))`);
        await sandbox.files.write(`file-${cycle}`, `content ${cycle}`);
        await become("warm");
        await become("cold");

        const { from, lost, variablesAt } = await sandboxes.wake("thread-cycling", {});
        expect([from, lost, variablesAt]).toEqual(["cold", [], undefined]);
        const sum = (cycle * (cycle + 1)) / 2;
        expect(await evaluate(sandbox, `len(seen), ${table.sum}, double(1)`)).toBe(`(${cycle}, ${sum}, 2)`);
        expect(await sandbox.files.readText(`file-${cycle}`)).toBe(`content ${cycle}`);
        const names = await sandbox.files.list();
        expect(names.filter(({ name }) => name.startsWith("file-"))).toHaveLength(cycle);
      }
      const grown = Array.from({ length: cycles }, (_, n) => `${n + 1}\n`).join("");
      expect(await sandbox.files.readText("grows")).toBe(grown);
      for (const change of ["hot → warm, idle", "warm → cold, idle", "cold → hot, used"])
        expect(changes.filter((seen) => seen.endsWith(change))).toHaveLength(cycles);
    },
  );
};

await describeSandboxes("a thread that comes and goes", define, { withContainers: true });
