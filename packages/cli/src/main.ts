#!/usr/bin/env node
import { AtollError } from "@atoll/sandbox";
import { commands } from "./commands.ts";
import { writeUsage } from "./usage.ts";

const [name = "help", ...args] = process.argv.slice(2);
process.exitCode = await execute(name, args);

async function execute(name: string, args: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(name)) {
    console.log(writeUsage());
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (!command) {
    console.error(`atoll: there is no command "${name}"\n\n${writeUsage()}`);
    return 2;
  }
  try {
    return await command.run(args);
  } catch (error) {
    // Expected failures print their message. Anything else is a defect and shows its stack trace.
    const isWrongOption =
      error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    if (!(error instanceof AtollError) && !isWrongOption) throw error;
    console.error(`atoll: ${error.message}`);
    return isWrongOption ? 2 : 1;
  }
}
