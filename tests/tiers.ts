/**
 * The tiers of the tests, each a vitest project: `unit` needs no engine, `core` has one look at each part that a user
 * meets, `full` has everything else (every driver, several servers, attacks, faults, load, the whole page).
 */
export type Tier = "unit" | "core" | "full";

/** What `npm test` runs, in five minutes. `npm test -- --all` runs every tier. */
export const QUICK_TIERS: readonly Tier[] = ["unit", "core"];

const ROOTS = "{packages,tests,scripts,bench}";
const INTEGRATION = `${ROOTS}/**/*.int.test.ts`;

/** The default driver's contract, the seed's curl lines, and a newcomer's path through the page. */
const CORE = [
  "packages/sandbox/src/drivers/local/local.int.test.ts",
  "tests/server/seed-lines.int.test.ts",
  "tests/ui/newcomer.int.test.ts",
];

/** The files of each tier. Every test file belongs to exactly one. */
export const TIERS: Readonly<Record<Tier, { include: string[]; exclude: string[] }>> = {
  unit: { include: [`${ROOTS}/**/*.test.ts`], exclude: [INTEGRATION] },
  core: { include: CORE, exclude: [] },
  full: { include: [INTEGRATION], exclude: CORE },
};
