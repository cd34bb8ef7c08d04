import { beforeAll, beforeEach } from "vitest";

/** A test of a shared suite that cannot pass in one place, and why. */
export interface KnownDifference {
  /** The end of the test's name with the names of its blocks, all with spaces between them. */
  readonly test: string;
  readonly reason: string;
  /** It passes now and then: it is left out, and a test of its own says what holds instead. */
  readonly isUnsteady?: boolean;
}

interface Task {
  readonly type: "suite" | "test";
  readonly name: string;
  readonly tasks?: readonly Task[];
  fails?: boolean;
}

/**
 * Called in the block in which a suite is registered: these tests of it must fail, so that one that has come to pass is
 * noticed, and so is one that no longer exists.
 */
export function expectDifferences(differences: readonly KnownDifference[]): void {
  const unsteady = new Map<unknown, KnownDifference>();
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the parameters, and takes no other name here
  beforeAll(({}, suite) => {
    const open = new Set(differences);
    for (const [test, name] of listTests(suite as unknown as Task)) {
      const found = differences.find((one) => name.endsWith(` ${one.test}`));
      if (!found) continue;
      open.delete(found);
      if (found.isUnsteady) unsteady.set(test, found);
      else test.fails = true;
    }
    if (open.size > 0) throw new Error(`there is no test ${[...open].map(({ test }) => test).join(", ")}`);
  });
  beforeEach(({ task, skip }) => {
    const found = unsteady.get(task);
    skip(found !== undefined, found?.reason);
  });
}

function listTests(task: Task, path = ""): [Task, string][] {
  const name = `${path} ${task.name}`;
  if (task.type === "test") return [[task, name]];
  return (task.tasks ?? []).flatMap((inner) => listTests(inner, name));
}
