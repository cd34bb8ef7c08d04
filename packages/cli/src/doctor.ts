import { parseArgs } from "node:util";
import { loadConfig } from "@atoll/server";
import { examine } from "@atoll/server/doctor";

/** `atoll doctor`: one line for each finding; 1 when something is damaged that is not repaired. */
export async function doctor(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { repair: { type: "boolean", default: false } } });
  const { dataDir } = loadConfig();
  console.log(`Looking through ${dataDir}`);
  let isDamaged = false;
  for await (const { state, message } of examine(dataDir, { isRepairing: values.repair })) {
    console.log(`${state.padEnd(8)}  ${message}`);
    isDamaged ||= state === "damaged";
  }
  return isDamaged ? 1 : 0;
}
