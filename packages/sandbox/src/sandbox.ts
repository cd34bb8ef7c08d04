import type { AttachOptions, Driver, SandboxListOptions, SandboxListing } from "./contract/driver.ts";
import type { CreateOptions, Sandbox as SandboxContract, SandboxHandle } from "./contract/sandbox.ts";
import { dockerDriver } from "./drivers/docker/driver.ts";
import { hostDriver } from "./drivers/host/driver.ts";
import { localDriver } from "./drivers/local/driver.ts";
import { AtollError } from "./errors.ts";

export type Sandbox = SandboxContract;

/** The way in. The runtime is the option's, else `SANDBOX_RUNTIME` or `SANDBOX_PROVIDER`, else `auto`. */
export const Sandbox = {
  async create(options: CreateOptions = {}): Promise<SandboxHandle> {
    return (await chooseDriver(options.runtime)).create(options);
  },
  /** Joins a sandbox that is alive, whichever process made it. */
  async attach(id: string, options: AttachOptions = {}): Promise<SandboxHandle> {
    return (await chooseDriver(options.runtime)).attach(id, options);
  },
  /** The sandboxes of the data folder: running, paused, or dead with their files kept. */
  async list(options: SandboxListOptions = {}): Promise<readonly SandboxListing[]> {
    return (await chooseDriver(options.runtime)).list(options);
  },
  /** Why `create` would fail with this runtime on this machine; undefined when it would not. */
  async unavailableBecause(runtime?: string): Promise<string | undefined> {
    try {
      return await (await chooseDriver(runtime)).unavailableBecause();
    } catch (error) {
      if (error instanceof AtollError) return error.message;
      throw error;
    }
  },
};

const drivers: readonly Driver[] = [localDriver, dockerDriver, hostDriver];
const aliases: Readonly<Record<string, string>> = { none: "host" };

/** `auto` takes the first that isolates and can run here: never one that would run code unprotected. */
async function chooseDriver(runtime?: string): Promise<Driver> {
  const wanted = runtime ?? process.env["SANDBOX_RUNTIME"] ?? process.env["SANDBOX_PROVIDER"] ?? "auto";
  if (wanted !== "auto") {
    const driver = drivers.find(({ name }) => name === (aliases[wanted] ?? wanted));
    if (driver) return driver;
    const names = [...drivers.map(({ name }) => name), "auto"].join(", ");
    throw new AtollError(
      "invalid_argument",
      `there is no runtime "${wanted}" (runtime, SANDBOX_RUNTIME); there are: ${names}`,
    );
  }
  const reasons: string[] = [];
  for (const driver of drivers.filter(({ capabilities }) => capabilities.isolation)) {
    const reason = await driver.unavailableBecause();
    if (reason === undefined) return driver;
    reasons.push(`${driver.name}: ${reason}`);
  }
  throw new AtollError("runtime_unavailable", `no isolating runtime can run here. ${reasons.join(". ")}`);
}
