import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../../../tests/support/lifecycle/manual-clock.ts";
import { describeQueue } from "../../../../tests/support/lifecycle/queue-suite.ts";
import { createSqliteQueue } from "./sqlite-queue.ts";

const folder = mkdtempSync(join(tmpdir(), "atoll-queue-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string) => join(folder, `${name}.db`);

describeQueue({
  title: "SQLite",
  open: async (name, options) => createSqliteQueue({ database: fileOf(name), ...options }),
  async leaveRunning(name, job) {
    const module = new URL("sqlite-queue.ts", import.meta.url).href;
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--eval", RUN_AND_HANG, module, fileOf(name), JSON.stringify(job)],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
  },
});

const RUN_AND_HANG = `
const [module, database, job] = process.argv.slice(1);
setInterval(() => {}, 1e9);
const { createSqliteQueue } = await import(module);
const queue = createSqliteQueue({ database, leaseMs: 300 });
await queue.start(async () => { console.log("running"); await new Promise(() => {}); });
await queue.schedule({ ...JSON.parse(job), dueAtMs: Date.now() });
`;

describe("SQLite queue", () => {
  it("sleeps exactly until the next job is due", async () => {
    const clock = new ManualClock();
    const done: string[] = [];
    const queue = createSqliteQueue({ database: ":memory:", clock });
    await queue.start(async ({ sandboxId }) => void done.push(sandboxId));
    expect(clock.nextInMs).toBeUndefined();
    await queue.schedule({ sandboxId: "later", kind: "pause", dueAtMs: clock.now() + 50_000 });
    await queue.schedule({ sandboxId: "sooner", kind: "pause", dueAtMs: clock.now() + 20_000 });
    expect(clock.nextInMs).toBe(20_000);
    clock.advance(19_999);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual(["sooner"]);
    await expect.poll(() => clock.nextInMs).toBe(30_000);
    await queue.close();
    expect(clock.nextInMs).toBeUndefined();
  });

  it("a worker keeps its job for as long as it lives", async () => {
    const clock = new ManualClock();
    const shared = new DatabaseSync(":memory:");
    const gate = Promise.withResolvers<void>();
    let count = 0;
    const open = () => createSqliteQueue({ database: shared, clock, leaseMs: 30_000 });
    const [one, other] = [open(), open()];
    const work = async () => {
      count++;
      await gate.promise;
    };
    await one.start(work);
    await other.start(work);
    await one.schedule({ sandboxId: "long", kind: "evict", dueAtMs: clock.now() });
    for (let minute = 0; minute < 10; minute++) clock.advance(60_000);
    expect(count).toBe(1);
    gate.resolve();
    await one.close();
    await other.close();
    shared.close();
  });

  it("reports a lease that cannot be renewed, and tries again", async () => {
    const clock = new ManualClock();
    const database = new DatabaseSync(":memory:");
    const problems: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const queue = createSqliteQueue({
      database,
      clock,
      leaseMs: 30_000,
      onProblem: (error) => void problems.push(error),
    });
    await queue.start(() => gate.promise);
    await queue.schedule({ sandboxId: "long", kind: "evict", dueAtMs: clock.now() });
    clock.advance(0);
    database.exec("PRAGMA query_only = 1");
    clock.advance(25_000);
    expect(problems).toHaveLength(2);
    database.exec("PRAGMA query_only = 0");
    clock.advance(60_000);
    expect(problems).toHaveLength(2);
    gate.resolve();
    await queue.close();
    database.close();
  });

  it("a job that kills its worker each time becomes a dead letter", async () => {
    const shared = new DatabaseSync(":memory:");
    const clock = new ManualClock();
    for (let death = 0; death < 3; death++) {
      const dying = createSqliteQueue({ database: shared, clock, leaseMs: 1000, maxTries: 3 });
      if (death === 0) await dying.schedule({ sandboxId: "deadly", kind: "evict", dueAtMs: clock.now() });
      await dying.start(() => new Promise(() => {}));
      // As if its process had died: its timers never fire.
      clock.stop();
      clock.advance(2000);
    }
    const after = createSqliteQueue({ database: shared, clock, leaseMs: 1000, maxTries: 3 });
    await after.start(async () => expect.unreachable());
    await expect
      .poll(() => after.list())
      .toMatchObject([{ state: "dead", lastError: expect.stringMatching(/died/) }]);
    await after.close();
    shared.close();
  });

  it("replaces tables of another version, in a file that only its user can read", async () => {
    const old = new DatabaseSync(fileOf("old"));
    old.exec("CREATE TABLE jobs (sandbox_id TEXT)");
    old.close();
    const queue = createSqliteQueue({ database: fileOf("old") });
    await queue.schedule({ sandboxId: "sandbox-1", kind: "pause", dueAtMs: Date.now() + 1e9 });
    await queue.close();
    const again = createSqliteQueue({ database: fileOf("old") });
    expect(await again.list()).toMatchObject([{ sandboxId: "sandbox-1", kind: "pause" }]);
    await again.close();

    const fresh = createSqliteQueue({ database: fileOf("fresh") });
    await fresh.close();
    expect(statSync(fileOf("fresh")).mode & 0o777).toBe(0o600);
  });

  it("renames a damaged file and continues with a new one", async () => {
    writeFileSync(fileOf("garbage"), "garbage ".repeat(2000));
    const problems: unknown[] = [];
    const queue = createSqliteQueue({
      database: fileOf("garbage"),
      onProblem: (error) => problems.push(error),
    });
    await queue.schedule({ sandboxId: "thread_a", kind: "evict", dueAtMs: 1 });
    expect(await queue.list()).toHaveLength(1);
    await queue.close();
    expect(problems).toMatchObject([{ code: "damaged" }]);
    expect(readdirSync(folder).filter((name) => name.startsWith("garbage.db.damaged-"))).toHaveLength(1);
  });

  it("does not start a running job again when the clock jumps past its lease", async () => {
    const clock = new ManualClock();
    const queue = createSqliteQueue({ database: ":memory:", clock, leaseMs: 60_000 });
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    await queue.schedule({ sandboxId: "thread_a", kind: "evict", dueAtMs: clock.now() });
    await queue.start(async ({ sandboxId }) => {
      begun.push(sandboxId);
      await gate.promise;
    });
    clock.jump(40 * 86_400_000);
    await queue.schedule({ sandboxId: "thread_b", kind: "evict", dueAtMs: clock.now() });
    clock.advance(1);
    expect(begun).toEqual(["thread_a", "thread_b"]);
    gate.resolve();
    await queue.close();
  });
});
