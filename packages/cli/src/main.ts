#!/usr/bin/env node
import { AtollError } from "@atoll/sandbox";
import { demonstrate } from "./demo.ts";
import { run } from "./run.ts";
import { usage } from "./usage.ts";

/** Each command takes the arguments after its name and returns the exit code. */
const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  run,
  // The tools take a while to load, which the other commands need not wait for.
  mcp: async (args) => (await import("./mcp.ts")).mcp(args),
  doctor: async (args) => (await import("./doctor.ts")).doctor(args),
  demo: demonstrate,
};

const [name = "help", ...args] = process.argv.slice(2);
process.exitCode = await execute(name, args);

async function execute(name: string, args: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(usage);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    console.error(`atoll: there is no command "${name}"\n\n${usage}`);
    return 2;
  }
  try {
    return await command(args);
  } catch (error) {
    // A failure that the platform foresaw is told in its own words; anything else is a defect and shows its trace.
    const isWrongOption =
      error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    if (!(error instanceof AtollError) && !isWrongOption) throw error;
    console.error(`atoll: ${error.message}`);
    return isWrongOption ? 2 : 1;
  }
}
