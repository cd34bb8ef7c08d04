import { doctorOptions, mcpOptions, type Options, runOptions } from "./options.ts";

export interface Command {
  readonly name: string;
  /** What follows the name. */
  readonly synopsis?: string;
  readonly summary: string;
  readonly options?: Options;
  /** Takes the arguments after the name and returns the exit code. Loads its code only when it runs. */
  run(args: string[]): Promise<number>;
}

/** Every command of `atoll`. `help` is made of this table. */
export const commands: readonly Command[] = [
  {
    name: "run",
    synopsis: "[options] [file.py]",
    summary: "run Python in a fresh sandbox; without a file, from -c or standard input",
    options: runOptions,
    run: async (args) => (await import("./run.ts")).run(args),
  },
  {
    name: "mcp",
    synopsis: "[options]",
    summary: "a sandbox with its tools for an MCP client, over standard input and output",
    options: mcpOptions,
    run: async (args) => (await import("./mcp.ts")).mcp(args),
  },
  {
    name: "doctor",
    synopsis: "[options]",
    summary: "check a server's data folder (ATOLL_DATA_DIR)",
    options: doctorOptions,
    run: async (args) => (await import("./doctor.ts")).doctor(args),
  },
  {
    name: "demo",
    summary: "see what a sandbox does, in a few seconds",
    run: async () => (await import("./demo.ts")).demonstrate(),
  },
];
