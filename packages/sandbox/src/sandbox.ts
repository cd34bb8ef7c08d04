import type { AttachOptions, Driver, SandboxListOptions, SandboxListing } from "./contract/driver.ts";
import type { CreateOptions, Sandbox as SandboxContract, SandboxHandle } from "./contract/sandbox.ts";
import { type ChosenDriver, chooseDriver } from "./drivers/choose-driver.ts";
import { AtollError } from "./errors.ts";

export type Sandbox = SandboxContract;

/**
 * The way in. The runtime is the option's, else `SANDBOX_RUNTIME` or `SANDBOX_PROVIDER`, else `auto`.
 *
 * @example
 * await using sandbox = await Sandbox.create({ limits: { memoryBytes: 512 * 1024 * 1024 } });
 * const { stdout } = await sandbox.python.run("print(6 * 7)");
 */
export const Sandbox = {
  async create(options: CreateOptions = {}): Promise<SandboxHandle> {
    return (await findDriver(options.runtime)).create(options);
  },
  /** Joins a living sandbox, also one that another process made. */
  async attach(id: string, options: AttachOptions = {}): Promise<SandboxHandle> {
    return (await findDriver(options.runtime)).attach(id, options);
  },
  /** The sandboxes of the data folder: running, paused, or dead with their files kept. */
  async list(options: SandboxListOptions = {}): Promise<readonly SandboxListing[]> {
    return (await findDriver(options.runtime)).list(options);
  },
  /** Why `create` would fail with this runtime on this machine; undefined when it would not. */
  async unavailableBecause(runtime?: string): Promise<string | undefined> {
    try {
      return await (await findDriver(runtime)).unavailableBecause();
    } catch (error) {
      if (error instanceof AtollError) return error.message;
      throw error;
    }
  },
  /** The driver that `create` would take, and why it passes over those that `auto` would rather take. */
  chosen(runtime?: string): Promise<ChosenDriver> {
    return chooseDriver(wantedRuntime(runtime));
  },
};

function wantedRuntime(runtime?: string): string {
  return runtime ?? process.env["SANDBOX_RUNTIME"] ?? process.env["SANDBOX_PROVIDER"] ?? "auto";
}

async function findDriver(runtime?: string): Promise<Driver> {
  return (await chooseDriver(wantedRuntime(runtime))).driver;
}
