import { parseArgs } from "node:util";
import { loadConfig } from "@atoll/server";
import { examine } from "@atoll/server/doctor";
import { doctorOptions } from "./options.ts";

/** `atoll doctor`: one line for each finding; 1 if something remains damaged. */
export async function doctor(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: doctorOptions });
  const { dataDir } = loadConfig();
  console.log(`Looking through ${dataDir}`);
  let isDamaged = false;
  for await (const { state, message } of examine(dataDir, { isRepairing: values.repair ?? false })) {
    console.log(`${state.padEnd(8)}  ${message}`);
    isDamaged ||= state === "damaged";
  }
  return isDamaged ? 1 : 0;
}
