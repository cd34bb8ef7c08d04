import { RUNTIMES } from "@atoll/sandbox/runtimes";

const runtimes = [
  ...RUNTIMES.map(({ name, description }) => ({ name, description })),
  { name: "auto", description: `the first that can run here: ${listAutomatic()}` },
];

export const usage = `Atoll: a computer for every AI conversation.

  atoll run [options] [file.py]   run Python in a fresh sandbox; without a file, from -c or standard input
  atoll mcp [options]             a sandbox with its tools for an MCP client, over standard input and output
  atoll doctor [--repair]         look through a server's data folder (ATOLL_DATA_DIR), and save what can be saved
  atoll demo                      see what a sandbox does, in a few seconds
  atoll help                      this text

Options of run:
  -c, --code <text>      the code itself
  -d, --data <path>      show a file or folder read-only in /data (may be repeated)
  -o, --output <folder>  where to keep the files that the code makes; none that is there is replaced
  -f, --force            but replace them
      --runtime <name>   how the sandbox is made: see Runtimes       [SANDBOX_RUNTIME, else auto]
      --timeout <s>      seconds the code may take                   [120]
      --memory <MiB>     memory it may use                           [1024]

Options of mcp:
      --session <id>     keep files and variables under this name for the next time
  -d, --data <path>      show a file or folder read-only in /data (may be repeated)
      --network <policy> none, all-public, or hosts with commas      [none]
      --tools <names>    with commas, or all                         [those that do nearly everything]
      --rules <file>     JSON: which calls are allowed, asked about or denied
      --mcp-servers <file>  JSON: further MCP servers that the tools mcp_… reach, on this machine
      --runtime <name>   as for run

Runtimes:
${runtimes.map(({ name, description }) => `  ${name.padEnd(9)}${description}`).join("\n")}`;

function listAutomatic(): string {
  return RUNTIMES.filter(({ isAutomatic }) => isAutomatic)
    .map(({ name }) => name)
    .join(", ");
}
