import type { Driver } from "../../contract/driver.ts";
import { plainModules } from "../../routing/modules.ts";
import { chooseDriver } from "../choose-driver.ts";
import { dockerDriver } from "../docker/driver.ts";
import { localDriver } from "../local/driver.ts";
import { wheelModules } from "../pyodide/distribution/packages.ts";
import { pyodideDriver } from "../pyodide/driver.ts";
import { cpythonLimits, linkDataRoot } from "./cpython-options.ts";
import { createRoutedDriver } from "./driver.ts";

const routedDrivers = new Map<string, Driver>();

/** Light work in Pyodide, heavy work in CPython: in the runtime that is named, else in `local` or `docker`. */
export async function openRoutedDriver(heavyRuntime: string): Promise<Driver> {
  const heavy = await chooseHeavy(heavyRuntime);
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

async function chooseHeavy(runtime: string): Promise<Driver> {
  if (runtime !== "") return (await chooseDriver(runtime)).driver;
  return (await localDriver.unavailableBecause()) === undefined ? localDriver : dockerDriver;
}
