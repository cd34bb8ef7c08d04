import type { Driver } from "../contract/driver.ts";
import { AtollError } from "../errors.ts";
import { RUNTIME_NAMES, RUNTIMES } from "./registry.ts";

export interface ChosenDriver {
  readonly driver: Driver;
  readonly passedOver: readonly string[];
}

/** The driver of a runtime's name, with the reasons against those that `auto` tried before it. */
export async function chooseDriver(wanted: string): Promise<ChosenDriver> {
  return wanted === "auto" ? chooseBest() : { driver: await loadDriver(wanted), passedOver: [] };
}

async function loadDriver(wanted: string): Promise<Driver> {
  const [name = "", ...others] = wanted.split(":");
  const runtime = RUNTIMES.find((each) => each.name === name || each.aliases?.includes(name));
  if (runtime && (others.length === 0 || runtime.takesRuntime)) return runtime.load(others.join(":"));
  throw new AtollError(
    "invalid_argument",
    `there is no runtime "${wanted}" (runtime, SANDBOX_RUNTIME); there are: ${RUNTIME_NAMES.join(", ")}`,
  );
}

/** The first that isolates and can run here: never one that would run code unprotected. */
async function chooseBest(): Promise<ChosenDriver> {
  const passedOver: string[] = [];
  for (const runtime of RUNTIMES.filter(({ isAutomatic }) => isAutomatic)) {
    const driver = await runtime.load("");
    if (!driver.capabilities.isolation) continue;
    const reason = await driver.unavailableBecause();
    if (reason === undefined) return { driver, passedOver };
    passedOver.push(`${driver.name}: ${reason}`);
  }
  throw new AtollError("runtime_unavailable", `no isolating runtime can run here. ${passedOver.join(". ")}`);
}
