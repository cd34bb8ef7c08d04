import { defineConfig } from "vitest/config";
import { TestOrder } from "./tests/support/test-order.ts";

/** Minutes under gVisor: `npm run test:docker`. */
const slow = process.env["ATOLL_TEST_GVISOR"] === "all" ? [] : ["tests/security/denials-gvisor.test.ts"];

export default defineConfig({
  test: {
    include: ["packages/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...slow],
    pool: "forks",
    // Machines are small and shared: two files at a time, and time enough for a slow one.
    maxWorkers: 2,
    sequence: { sequencer: TestOrder },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 90_000 } },
  },
});
