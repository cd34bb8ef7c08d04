import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxInfo } from "../../contract/sandbox.ts";
import { defaultLimits } from "../../contract/limits.ts";
import { AtollError } from "../../errors.ts";
import { GuestConnection } from "../wire/connection.ts";
import { GuestSandbox } from "../sandbox.ts";
import { HostileGuest } from "./hostile-guest.ts";
import { Choices } from "./mutations.ts";

const seed = Number(process.env["ATOLL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const wantedFrames = Number(process.env["ATOLL_FUZZ_FRAMES"] ?? 50_000);
const callTimeoutMs = 30_000;
const maxGrowthBytes = 600 * 1024 * 1024;

type Use = (sandbox: GuestSandbox) => Promise<unknown>;

const uses: readonly Use[] = [
  ({ python }) => python.run("1 + 1", { onStdout() {}, onResult() {} }),
  ({ python }) => python.contexts(),
  ({ python }) => python.variables(),
  (sandbox) => sandbox.snapshot(),
  ({ files }) => files.stat("a"),
  ({ files }) => files.list("."),
  ({ files }) => files.read("a"),
  ({ files }) => files.glob("*"),
  ({ files }) => files.grep("x"),
  ({ trees }) => trees.scan(),
  ({ commands }) => commands.run("ls"),
  ({ commands }) => commands.list(),
  ({ processes }) => processes.list(),
  ({ ports }) => ports.list(),
  ({ env }) => env.list(),
  (sandbox) => sandbox.metrics(),
  (sandbox) => sandbox.state(),
];

test(`a guest's frames, mutated, end in a result or an error with a code (ATOLL_FUZZ_SEED=${seed})`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "atoll-fuzz-"));
  const path = join(folder, "guest.sock");
  const guest = new HostileGuest(seed);
  await guest.listen(path);
  onTestFinished(async () => {
    await guest.close();
    await rm(folder, { recursive: true, force: true });
  });
  const choices = new Choices(seed ^ 0x5bd1e995);
  const before = process.memoryUsage().rss;
  const outcomes = { results: 0, errors: 0 };
  for (let round = 0; guest.frames < wantedFrames; round++) {
    guest.isHonest = false;
    const sandbox = open(path);
    const calls = Array.from({ length: 1 + choices.below(8) }, () => choices.of(uses)(sandbox));
    for (const settled of await within(Promise.allSettled(calls))) {
      if (settled.status === "fulfilled") {
        outcomes.results++;
        expect(() => JSON.stringify(settled.value)).not.toThrow();
      } else {
        outcomes.errors++;
        expect(settled.reason, String(settled.reason?.stack)).toBeInstanceOf(AtollError);
      }
    }
    await sandbox.detach();
    if (round % 500 === 0) await expectHonestUse(guest, path);
  }
  await expectHonestUse(guest, path);
  console.log(`${guest.frames} frames, ${outcomes.results} results, ${outcomes.errors} errors`);
  expect(outcomes.results).toBeGreaterThan(0);
  expect(outcomes.errors).toBeGreaterThan(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(maxGrowthBytes);
});

async function expectHonestUse(guest: HostileGuest, path: string): Promise<void> {
  guest.isHonest = true;
  const sandbox = open(path);
  for (const use of uses) await within(use(sandbox));
  await sandbox.detach();
}

function open(path: string): GuestSandbox {
  const info = { id: "x", driver: "local", limits: defaultLimits, capabilities: {}, paths: {} };
  return new GuestSandbox(info as unknown as SandboxInfo, new GuestConnection(connect(path)), {
    dial: async () => new GuestConnection(connect(path)),
    copies: join(dirname(path), "copies"),
    kill: async () => true,
    saveInfo: async () => {},
    cleanUp: async () => {},
  });
}

/** Far more than any of it takes. */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not done within ${callTimeoutMs} ms`)), callTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
