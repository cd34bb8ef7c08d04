import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createThreadSandboxes,
  type StateChange,
  type ThreadSandboxes,
  type ThreadSandboxesOptions,
} from "@atoll/lifecycle";
import { type Driver, dockerDriver, localDriver, type Sandbox } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { useDockerEngine } from "../docker-engine/index.ts";
import { describeIf } from "../requirements.ts";

export interface SandboxSuiteOptions {
  /** Also run in containers, which is slow. */
  readonly withContainers?: boolean;
}

export interface SandboxSuite {
  readonly runtime: string;
  dataDir(): string;
  /** The sandboxes of a new server, closed after the suite. */
  open(options?: Partial<ThreadSandboxesOptions>): Opened;
}

export interface Opened {
  readonly sandboxes: ThreadSandboxes;
  /** Every change of state: thread, from, to, reason. */
  readonly changes: string[];
  readonly problems: unknown[];
}

/** Registers tests with real sandboxes, once per driver, in one data folder. */
export async function describeSandboxes(
  title: string,
  define: (suite: SandboxSuite) => void,
  { withContainers = false }: SandboxSuiteOptions = {},
): Promise<void> {
  const drivers: readonly Driver[] = withContainers ? [localDriver, dockerDriver] : [localDriver];
  for (const driver of drivers) {
    const { missing } =
      driver === dockerDriver ? await useDockerEngine() : { missing: await driver.unavailableBecause() };
    describeIf({ suite: `${driver.name}: ${title}`, missing, isRequired: true }, () => {
      let dataDir = "";
      const opened: ThreadSandboxes[] = [];
      beforeAll(async () => {
        dataDir = await mkdtemp(join(tmpdir(), "atoll-lifecycle-"));
      });
      afterAll(async () => {
        for (const sandboxes of opened) await sandboxes.close();
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
      });
      describe(title, () =>
        define({
          runtime: driver.name,
          dataDir: () => dataDir,
          open(options = {}) {
            const changes: string[] = [];
            const problems: unknown[] = [];
            const onStateChange = (threadId: string, { from, to, reason }: StateChange) =>
              void changes.push(`${threadId}: ${from} → ${to}, ${reason}`);
            const sandboxes = createThreadSandboxes({
              dataDir,
              runtime: driver.name,
              onStateChange,
              onProblem: (_, error) => problems.push(error),
              ...options,
            });
            opened.push(sandboxes);
            return { sandboxes, changes, problems };
          },
        }),
      );
    });
  }
}

export async function evaluate(sandbox: Sandbox, code: string): Promise<string | undefined> {
  const { results, error } = await sandbox.python.run(code);
  expect(error?.traceback).toBeUndefined();
  return results[0]?.text;
}
