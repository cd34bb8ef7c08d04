import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Driver } from "../contract/driver.ts";
import type { CreateOptions, SandboxHandle } from "../contract/sandbox.ts";
import type { ErrorCode } from "@atoll/protocol";

/** What the parts of a suite share: the driver under test, and sandboxes that are gone when their test is. */
export interface Suite {
  readonly driver: Driver;
  /** The folder on the host where this suite's sandboxes keep their files. Known once tests run. */
  dataDir(): string;
  /** A sandbox for one test. */
  create(options?: CreateOptions): Promise<SandboxHandle>;
  /** One sandbox for all tests of the describe block in which this is called. */
  share(options?: CreateOptions): () => SandboxHandle;
}

/** Registers a suite for a driver. Where the driver cannot run, it says why; with `CI=true` that is a failure. */
export function describeDriver(title: string, driver: Driver, register: (suite: Suite) => void): void {
  describe(`${driver.name}: ${title}`, async () => {
    const reason = await driver.unavailableBecause();
    if (reason !== undefined) return refuseToSkip(driver, reason);

    let dataDir = "";
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), "atoll-suite-"));
    });
    afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

    register({
      driver,
      dataDir: () => dataDir,
      create: async (options) => {
        const sandbox = await driver.create({ dataDir, ...options });
        // A test may have destroyed or let go of it already.
        onTestFinished(() => sandbox.destroy().catch(() => undefined));
        return sandbox;
      },
      share: (options) => {
        let sandbox: SandboxHandle | undefined;
        beforeAll(async () => {
          sandbox = await driver.create({ dataDir, ...options });
        });
        afterAll(() => sandbox?.destroy(), 60_000);
        return () => {
          if (!sandbox) throw new Error("the shared sandbox exists only while tests run");
          return sandbox;
        };
      },
    });
  });
}

export interface Ability {
  readonly title: string;
  readonly isPresent: boolean;
  /** The calls that need it. */
  readonly calls: (sandbox: SandboxHandle) => readonly Promise<unknown>[];
}

/** Tests an ability where the driver has it; where the driver says that it has not, tests that the calls are refused. */
export function describeAbility(
  { create }: Suite,
  { title, isPresent, calls }: Ability,
  register: () => void,
): void {
  const expectRefused = async (): Promise<void> => expectRefusals("not_supported", calls(await create()));
  describe(title, isPresent ? register : () => void it("is refused", expectRefused));
}

/** What of a Linux system with the usual libraries a driver has inside. All of it, unless it says otherwise. */
export function describeInside({ capabilities }: Driver): {
  hasProcesses: boolean;
  hasContexts: boolean;
  hasMagics: boolean;
  has(name: string): boolean;
} {
  const { contexts = true, processes = true, magics = true, lacks = [] } = capabilities;
  return {
    hasProcesses: processes,
    hasContexts: contexts,
    hasMagics: magics,
    has: (name) => !lacks.includes(name),
  };
}

/** The shape of an `AtollError` with this code, for `rejects.toMatchObject`. */
export function refusal(code: ErrorCode): object {
  return { name: "AtollError", code, message: expect.stringMatching(/\S/) };
}

/** Each of these calls, made at once, fails with this code. */
export async function expectRefusals(code: ErrorCode, calls: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(refusal(code))));
}

function refuseToSkip(driver: Driver, reason: string): void {
  console.warn(`skipped: the driver "${driver.name}" cannot run here: ${reason}`);
  it.runIf(process.env.CI === "true")("can run on this machine", () => {
    expect.fail(`the driver "${driver.name}" cannot run here: ${reason}`);
  });
  it.skip(`cannot run here: ${reason}`, () => undefined);
}
