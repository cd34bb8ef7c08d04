import type { AttachOptions, Driver, SandboxListOptions, SandboxListing } from "./contract/driver.ts";
import type { CreateOptions, Sandbox as SandboxContract, SandboxHandle } from "./contract/sandbox.ts";
import { dockerDriver } from "./drivers/docker/driver.ts";
import { hostDriver } from "./drivers/host/driver.ts";
import { localDriver } from "./drivers/local/driver.ts";
import { pyodideDriver } from "./drivers/pyodide/driver.ts";
import { wheelModules } from "./drivers/pyodide/distribution/packages.ts";
import { cpythonLimits, linkDataRoot } from "./drivers/routed/cpython-options.ts";
import { createRoutedDriver } from "./drivers/routed/driver.ts";
import { AtollError } from "./errors.ts";
import { plainModules } from "./routing/modules.ts";

export type Sandbox = SandboxContract;

export interface ChosenDriver {
  readonly driver: Driver;
  readonly passedOver: readonly string[];
}

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
  /** The driver that `create` would take, and why it passes over those that `auto` would rather take. */
  async chosen(runtime?: string): Promise<ChosenDriver> {
    const wanted = wantedRuntime(runtime);
    return wanted === "auto" ? bestDriver() : { driver: await chooseDriver(wanted), passedOver: [] };
  },
};

const drivers: readonly Driver[] = [localDriver, dockerDriver, pyodideDriver, hostDriver];
const aliases: Readonly<Record<string, string>> = { none: "host" };

function wantedRuntime(runtime?: string): string {
  return runtime ?? process.env["SANDBOX_RUNTIME"] ?? process.env["SANDBOX_PROVIDER"] ?? "auto";
}

async function chooseDriver(runtime?: string): Promise<Driver> {
  const wanted = wantedRuntime(runtime);
  if (wanted === "auto") return (await bestDriver()).driver;
  if (wanted === "routed" || wanted.startsWith("routed:"))
    return routedDriver(wanted.slice("routed:".length));
  const driver = drivers.find(({ name }) => name === (aliases[wanted] ?? wanted));
  if (driver) return driver;
  const names = [...drivers.map(({ name }) => name), "routed", "auto"].join(", ");
  throw new AtollError(
    "invalid_argument",
    `there is no runtime "${wanted}" (runtime, SANDBOX_RUNTIME); there are: ${names}`,
  );
}

/** The first that isolates and can run here: never one that would run code unprotected. */
async function bestDriver(): Promise<ChosenDriver> {
  const passedOver: string[] = [];
  for (const driver of drivers.filter(({ capabilities }) => capabilities.isolation)) {
    const reason = await driver.unavailableBecause();
    if (reason === undefined) return { driver, passedOver };
    passedOver.push(`${driver.name}: ${reason}`);
  }
  throw new AtollError("runtime_unavailable", `no isolating runtime can run here. ${passedOver.join(". ")}`);
}

const routedDrivers = new Map<string, Driver>();

/** Light work in Pyodide, heavy work in CPython: in the runtime that is named (`routed:docker`), else the best there is. */
async function routedDriver(named: string): Promise<Driver> {
  const isLocalThere = named === "" && (await localDriver.unavailableBecause()) === undefined;
  const heavy = named === "" ? (isLocalThere ? localDriver : dockerDriver) : await chooseDriver(named);
  const known =
    routedDrivers.get(heavy.name) ??
    createRoutedDriver({
      light: pyodideDriver,
      heavy,
      modules: async () => new Set([...plainModules, ...wheelModules()]),
      heavyOptions: () => ({ limits: cpythonLimits() }),
      prepareHeavy: (handle) => linkDataRoot(handle),
    });
  routedDrivers.set(heavy.name, known);
  return known;
}
