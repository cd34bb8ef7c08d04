/** Options of a command: `parseArgs` reads the first three fields, `atoll help` shows the others. */
export type Options = Readonly<
  Record<
    string,
    {
      readonly type: "string" | "boolean";
      readonly short?: string;
      readonly multiple?: boolean;
      /** What the option takes, such as `path`. */
      readonly value?: string;
      readonly help: string;
      readonly fallback?: string;
    }
  >
>;

const data = {
  type: "string",
  short: "d",
  multiple: true,
  value: "path",
  help: "show a file or folder read-only in /data (may be repeated)",
} as const;

const runtime = {
  type: "string",
  value: "name",
  help: "how the sandbox is made: see Runtimes",
  fallback: "SANDBOX_RUNTIME, else auto",
} as const;

export const runOptions = {
  code: { type: "string", short: "c", value: "text", help: "the code itself" },
  data,
  output: {
    type: "string",
    short: "o",
    value: "folder",
    help: "where to keep the files that the code makes; existing files are not replaced",
  },
  force: { type: "boolean", short: "f", help: "with --output: replace existing files" },
  runtime,
  timeout: { type: "string", value: "s", help: "seconds the code may take", fallback: "120" },
  memory: { type: "string", value: "MiB", help: "memory it may use", fallback: "1024" },
} as const satisfies Options;

export const mcpOptions = {
  session: {
    type: "string",
    value: "id",
    help: "keep files and variables under this name for the next time",
  },
  data,
  network: {
    type: "string",
    value: "policy",
    help: "none, all-public, or hosts with commas",
    fallback: "none",
  },
  tools: {
    type: "string",
    value: "names",
    help: "with commas, or all",
    fallback: "those that do nearly everything",
  },
  rules: { type: "string", value: "file", help: "JSON: which calls are allowed, asked about or denied" },
  "mcp-servers": {
    type: "string",
    value: "file",
    help: "JSON: further MCP servers on this machine that the tools mcp_… reach",
  },
  runtime,
} as const satisfies Options;

export const doctorOptions = {
  repair: { type: "boolean", help: "save what can be saved" },
} as const satisfies Options;
