import { expect, it } from "vitest";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";
import {
  describeSandboxes,
  evaluate,
  type SandboxSuite,
} from "../../../tests/support/lifecycle/sandbox-suite.ts";

const CYCLES = 100;
const MINUTE_MS = 60_000;

/** The containers of the tests do not preload pandas: importing it a hundred times would take most of the time. */
const tables = {
  local: { library: "pandas as pd", make: "pd.DataFrame({'n': seen})", sum: "int(df.n.sum())" },
  docker: { library: "json", make: "{'n': list(seen)}", sum: "sum(df['n'])" },
};

const define = ({ open, runtime }: SandboxSuite) => {
  const table = runtime === "docker" ? tables.docker : tables.local;

  it(
    `a thread keeps every file and variable over ${CYCLES} cycles of hot → warm → cold → hot`,
    { timeout: 600_000 },
    async () => {
      const clock = new ManualClock();
      const { sandboxes, changes } = open({ clock, warmAfterMs: MINUTE_MS, coldAfterMs: 10 * MINUTE_MS });
      const become = async (state: string) => {
        clock.advance(10 * MINUTE_MS);
        await expect.poll(() => sandboxes.state("thread-cycling"), { interval: 1 }).toBe(state);
      };
      const { sandbox } = await sandboxes.wake("thread-cycling", {});
      await sandbox.python.run(`import ${table.library}\nseen = []\ndef double(x): return 2 * x`);
      for (let cycle = 1; cycle <= CYCLES; cycle++) {
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
      const grown = Array.from({ length: CYCLES }, (_, n) => `${n + 1}\n`).join("");
      expect(await sandbox.files.readText("grows")).toBe(grown);
      for (const change of ["hot → warm, idle", "warm → cold, idle", "cold → hot, used"])
        expect(changes.filter((seen) => seen.endsWith(change))).toHaveLength(CYCLES);
    },
  );
};

await describeSandboxes("suspend cycles", define, { withContainers: true });
