import { defineConfig } from "vitest/config";

/** Minutes of containers on an engine of their own: `npm run test:docker`. */
const containers = ["**/drivers/docker/*.int.test.ts", "tests/security/denials-{docker,gvisor}.test.ts"];
const areContainersTested = process.env["ATOLL_TEST_DOCKER"] === "1";

export default defineConfig({
  test: {
    include: ["packages/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...(areContainersTested ? [] : containers)],
    pool: "forks",
    // Machines are small and shared: two files at a time, and time enough for a slow one.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
