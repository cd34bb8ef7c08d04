import { parseArgs } from "node:util";

export interface BenchOptions {
  readonly isJson: boolean;
  readonly isQuick: boolean;
  /** Names of the measures to run. */
  readonly only: readonly string[];
  /** How many sandboxes to keep alive at once. */
  readonly alive: number;
}

const aliveCount = { full: 1000, quick: 50 };

export function describeUsage(names: readonly string[]): string {
  return `usage: npm run bench -- [--json] [--quick] [--only NAME,NAME] [--alive N]
  --json    one JSON object as the last line of stdout
  --quick   few iterations: to see that all works, not to quote
  --only    some of: ${names.join(", ")}
  --alive   how many sandboxes live at once (default ${aliveCount.full}; ${aliveCount.quick} with --quick)`;
}

/** Throws with a sentence for the user. `names` are those of all measures. */
export function parseArguments(args: readonly string[], names: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      alive: { type: "string" },
    },
  });
  const only = values.only?.flatMap((list) => list.split(",")).filter((name) => name !== "") ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined || only.length === 0) {
    throw new Error(`--only ${unknown ?? ""}: there is no such measure; there are: ${names.join(", ")}`);
  }
  const alive =
    values.alive === undefined ? aliveCount[values.quick ? "quick" : "full"] : Number(values.alive);
  if (!Number.isInteger(alive) || alive < 1)
    throw new Error(`--alive ${values.alive}: must be a whole number above 0`);
  return { isJson: values.json, isQuick: values.quick, only, alive };
}
