import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localDriver, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sourceOf } from "./denials/probe.ts";

const MiB = 1024 * 1024;
const attackers = 40;
const limits = { memoryBytes: 256 * MiB, processes: 32 };
/** By the names in `probes/take_all.py`. */
const things = [
  { what: "instances of inotify", kind: "inotify" },
  { what: "watches of files", kind: "watch" },
  { what: "pages of pipes", kind: "pipe", isPerUser: true },
  { what: "terminals", kind: "pty" },
  { what: "descriptors on their way", kind: "descriptors_on_the_way", isPerUser: true },
  { what: "pending signals", kind: "signal" },
];

/** What the kernel counts for a user or for the machine: the sum over many sandboxes leaves to one more what is its own. */
describe(`${attackers} sandboxes that take all they get leave one more its share:`, async () => {
  const reason = await localDriver.unavailableBecause();
  let dataDir = "";
  let bystander: SandboxHandle;
  const crowd: SandboxHandle[] = [];

  beforeAll(async () => {
    if (reason !== undefined) return;
    dataDir = await mkdtemp(join(tmpdir(), "atoll-shares-"));
    bystander = await localDriver.create({ dataDir, limits });
    while (crowd.length < attackers)
      crowd.push(
        ...(await Promise.all(Array.from({ length: 8 }, () => localDriver.create({ dataDir, limits })))),
      );
  }, 300_000);
  afterAll(async () => {
    await Promise.all([bystander, ...crowd].map((sandbox) => sandbox?.destroy().catch(() => undefined)));
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }, 300_000);

  it.runIf(reason === undefined).for(things)("$what", async ({ kind, isPerUser }, { skip }) => {
    if (isPerUser && !bystander.info.capabilities.ownUser)
      skip(
        "all sandboxes are the same user here, for whom it is counted: SECURITY.md, One user, without root",
      );
    const alone = await takeAndRelease(bystander, kind);
    expect(alone).toBeGreaterThan(0);
    const enough = new AbortController();
    const attacks = crowd.map((sandbox) => hold(sandbox, kind, enough.signal));
    try {
      const taken = await Promise.all(attacks.map(({ held }) => held));
      // Pipes and sockets of the supervisors count too.
      expect(Math.min(...taken)).toBeGreaterThanOrEqual(alone * 0.9);
      expect(await takeAndRelease(bystander, kind)).toBeGreaterThanOrEqual(alone * 0.9);
    } finally {
      enough.abort();
      await Promise.all(attacks.map(({ ended }) => ended));
    }
  });
});

async function takeAndRelease(sandbox: SandboxHandle, kind: string): Promise<number> {
  const stdin = await sourceOf("take_all", { kind, processes: 1, released: true });
  const { stdout } = await sandbox.commands.run(["python3", "-"], { stdin, timeoutMs: 100_000 });
  return readCount(stdout);
}

/** Until the signal; `held` is how much it has. */
function hold(sandbox: SandboxHandle, kind: string, signal: AbortSignal) {
  const held = Promise.withResolvers<number>();
  const run = async () => {
    const stdin = await sourceOf("take_all", { kind, processes: 1 });
    const onStdout = (text: string) => held.resolve(readCount(text));
    const { stderr } = await sandbox.commands.run(["python3", "-"], {
      stdin,
      timeoutMs: 170_000,
      onStdout,
      signal,
    });
    throw new Error(`it ended: ${stderr}`);
  };
  const ended = run().catch((error: unknown) => held.reject(error));
  return { held: held.promise, ended };
}

function readCount(text: string): number {
  return Number(/^held (\d+)/.exec(text)?.[1]);
}
