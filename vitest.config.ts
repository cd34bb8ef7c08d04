import { defineConfig } from "vitest/config";
import { TestOrder } from "./tests/support/test-order.ts";
import { TIERS } from "./tests/tiers.ts";

/** Minutes under gVisor: `npm run test:docker`. */
const slow = process.env["ATOLL_TEST_GVISOR"] === "all" ? [] : ["tests/security/denials-gvisor.int.test.ts"];

export default defineConfig({
  test: {
    projects: Object.entries(TIERS).map(([name, { include, exclude }]) => ({
      extends: true,
      test: { name, include, exclude: ["**/node_modules/**", ...slow, ...exclude] },
    })),
    pool: "forks",
    // Machines are small and shared: two files at a time, and time enough for a slow one.
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    setupFiles: ["tests/support/time-budget.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    expect: { requireAssertions: true },
  },
});
