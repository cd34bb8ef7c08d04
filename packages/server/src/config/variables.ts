import { DEFAULT_CHECKPOINT_BYTES, DEFAULT_POLICY } from "@atoll/lifecycle/policy";
import { RUNTIME_NAMES, RUNTIMES } from "@atoll/sandbox/runtimes";
import { z } from "zod";
import { modelNameSchema } from "@atoll/protocol/schemas";

/** One environment variable of the server. The table in docs/server.md is checked against this list. */
export interface Variable {
  readonly name: string;
  /** As text, since that is how a user would set it; undefined: not set. */
  readonly default?: string;
  readonly description: string;
  readonly schema: z.ZodType;
  /** Never shown, not even in an error message. */
  readonly isSecret?: boolean;
}

const RUNTIME_LIST = RUNTIME_NAMES.map((name) => `\`${name}\``)
  .join(", ")
  .replace(/, (?=[^,]*$)/, " or ");
const RUNTIME_VARIABLES: ReadonlySet<string> = new Set(RUNTIMES.flatMap(({ environment }) => environment));

const text = z.string().trim().min(1, "must not be empty");

function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

const url = text.refine((value) => {
  const parsed = URL.parse(value);
  return parsed !== null && ["http:", "https:"].includes(parsed.protocol);
}, "must be an http or https address, e.g. http://localhost:11434/v1");

const token = text.regex(
  /^[\x21-\x7e]{16,512}$/,
  "must be at least 16 visible ASCII characters without a space",
);

const redisUrl = text.refine((value) => {
  const parsed = URL.parse(value);
  return parsed !== null && ["redis:", "rediss:"].includes(parsed.protocol);
}, "must be the address of a Redis, e.g. redis://host:6379");

const databaseUrl = text.refine((value) => {
  const parsed = URL.parse(value);
  return parsed !== null && ["postgres:", "postgresql:"].includes(parsed.protocol);
}, "must be the address of a Postgres, e.g. postgres://user:password@host/atoll");

export const variables = [
  {
    name: "PORT",
    default: "8000",
    description: "The port to listen on; 0 lets the system choose",
    schema: whole(0, 65_535),
  },
  {
    name: "HOST",
    default: "127.0.0.1",
    description: "The address to listen on; any other than loopback demands a token",
    schema: text.regex(/^[\w.:%-]+$/, "must be an address or a host name without a port"),
  },
  {
    name: "ATOLL_DATA_DIR",
    description: "Where threads, uploads, sandboxes and settings are kept; default `~/.local/share/atoll`",
    schema: text,
  },
  {
    name: "ATOLL_TOKEN",
    description: "What a request must carry as `Authorization: Bearer`; generated where HOST is not loopback",
    schema: token,
    isSecret: true,
  },
  {
    name: "ATOLL_MODEL",
    description:
      "`provider:model` or `built-in`; default: what the keys that are set allow, else the built-in analyst",
    schema: text.pipe(modelNameSchema),
  },
  { name: "OPENAI_API_KEY", description: "For OpenAI's models", schema: text, isSecret: true },
  {
    name: "OPENAI_BASE_URL",
    description: "An OpenAI-compatible server, e.g. Ollama at `http://localhost:11434/v1`",
    schema: url,
  },
  {
    name: "OPENAI_MODEL",
    description: "The model where ATOLL_MODEL names OpenAI, or a compatible server, without one",
    schema: text,
  },
  { name: "ANTHROPIC_API_KEY", description: "For Anthropic's models", schema: text, isSecret: true },
  { name: "GOOGLE_GENERATIVE_AI_API_KEY", description: "For Google's models", schema: text, isSecret: true },
  {
    name: "MAX_UPLOAD_MB",
    default: "2048",
    description: "The most that one upload may hold, all its files together",
    schema: whole(1, 1_048_576),
  },
  {
    name: "ATOLL_THREAD_QUOTA_MB",
    default: "4096",
    description: "The uploads that one thread may use, together",
    schema: whole(1, 1_048_576),
  },
  {
    name: "MAX_INPUT_CHARS",
    default: "32000",
    description: "The length of a message",
    schema: whole(1, 10_000_000),
  },
  {
    name: "RATE_LIMIT_WINDOW_MS",
    default: "60000",
    description: "The window in which requests are counted",
    schema: whole(100, 86_400_000),
  },
  {
    name: "RATE_LIMIT_MAX",
    default: "600",
    description: "Requests of one token or address in a window; 0: no limit",
    schema: whole(0, 1_000_000_000),
  },
  {
    name: "ATOLL_TRUSTED_PROXIES",
    description:
      "Addresses or networks (`10.0.0.0/8`), comma-separated, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed",
    schema: text,
  },
  {
    name: "SANDBOX_RUNTIME",
    description: `How sandboxes are made: ${RUNTIME_LIST}; see docs/sandbox.md`,
    schema: text,
  },
  {
    name: "DATABASE_URL",
    description:
      "A Postgres that several servers share, e.g. `postgres://user:password@host/atoll`; see docs/cluster.md",
    schema: databaseUrl,
    isSecret: true,
  },
  {
    name: "REDIS_URL",
    description:
      "A Redis that several servers share, e.g. `redis://:password@host:6379/0`; see docs/cluster.md. Without it there is one server",
    schema: redisUrl,
    isSecret: true,
  },
  {
    name: "REDIS_HOST",
    description: "The same, where it needs no password and no other database than the first",
    schema: text.regex(/^[\w.:%-]+$/, "must be an address or a host name without a port"),
  },
  { name: "REDIS_PORT", default: "6379", description: "Its port, with REDIS_HOST", schema: whole(1, 65_535) },
  {
    name: "ATOLL_ADVERTISE_URL",
    description: "Where the other servers reach this one; default: the address that it listens on",
    schema: url,
  },
  {
    name: "ATOLL_LEASE_S",
    default: "15",
    description:
      "A server that is silent for so many seconds is dead to the others, which take its threads over",
    schema: whole(1, 300),
  },
  { name: "SANDBOX_PROVIDER", description: "Another name of SANDBOX_RUNTIME", schema: text },
  {
    name: "ATOLL_WARM_AFTER_S",
    default: String(DEFAULT_POLICY.warmAfterMs / 1000),
    description: "A thread's sandbox that is unused for so many seconds is frozen in memory",
    schema: whole(1, 31_536_000),
  },
  {
    name: "ATOLL_COLD_AFTER_S",
    default: String(DEFAULT_POLICY.coldAfterMs / 1000),
    description: "Unused for so many seconds, it ends; files and variables are kept on disk",
    schema: whole(1, 31_536_000),
  },
  {
    name: "ATOLL_DELETE_AFTER_DAYS",
    default: String(DEFAULT_POLICY.deleteAfterMs / 86_400_000),
    description:
      "A thread that is unused for so many days goes to the trash; 0: never. Time that no server ran counts at most a day at a stretch",
    schema: whole(0, 36_500),
  },
  {
    name: "ATOLL_TRASH_DAYS",
    default: "7",
    description: "So many days a removed thread can be taken back; 0: there is no trash",
    schema: whole(0, 36_500),
  },
  {
    name: "ATOLL_MAX_HOT",
    default: String(DEFAULT_POLICY.maxHot),
    description: "Running sandboxes of threads; of more, the least recently used are frozen",
    schema: whole(1, 100_000),
  },
  {
    name: "ATOLL_MAX_WARM",
    default: String(DEFAULT_POLICY.maxWarm),
    description: "Frozen ones; of more, the least recently used end",
    schema: whole(0, 100_000),
  },
  {
    name: "ATOLL_APPROVAL_TIMEOUT_S",
    default: "3600",
    description:
      "A tool call that nobody allows or denies for so many seconds is refused; see docs/approvals.md",
    schema: whole(1, 604_800),
  },
  {
    name: "ATOLL_CHECKPOINT_MB",
    default: String(DEFAULT_CHECKPOINT_BYTES / 1024 / 1024),
    description: "For all checkpoints of one thread; old ones are thinned out",
    schema: whole(1, 1_048_576),
  },
  {
    name: "ATOLL_MAX_MEMORY_MB",
    default: "4096",
    description: "The most memory that a thread's sandbox may be given; without a choice it has 1024",
    schema: whole(32, 1_048_576),
  },
  {
    name: "ATOLL_MAX_CPUS",
    default: "4",
    description: "The most processor cores; without a choice 1",
    schema: whole(1, 1024),
  },
  {
    name: "ATOLL_MAX_DISK_MB",
    default: "20480",
    description: "The most disk for what a sandbox keeps; without a choice 2048",
    schema: whole(1, 104_857_600),
  },
  {
    name: "ATOLL_MAX_RUN_S",
    default: "3600",
    description: "The most seconds for a run or command that sets no time of its own; without a choice 120",
    schema: whole(1, 86_400),
  },
  {
    name: "ATOLL_NETWORK",
    default: "none",
    description:
      "What threads may reach that ask for nothing else: `none`, `all-public`, or hosts with commas; see docs/network.md",
    schema: text,
  },
  {
    name: "ATOLL_NETWORK_MAX",
    description:
      "The most that a thread or a program may ask for, in the same form; without it, anything public",
    schema: text,
  },
  {
    name: "ATOLL_EGRESS_FILE",
    description:
      "A JSON file with credentials, own addresses and limits for the network of sandboxes, readable only by its owner",
    schema: text,
  },
  {
    name: "ATOLL_BROWSER_IDLE_S",
    default: "300",
    description: "A thread's browser that nobody uses or watches for so many seconds ends; its profile stays",
    schema: whole(1, 31_536_000),
  },
  {
    name: "ATOLL_BROWSER_IMAGE",
    description:
      "The image that browsers are made of, for runtimes with images; default atoll/browser:latest",
    schema: text,
  },
  {
    name: "SESSION_TTL_S",
    default: "600",
    description:
      "A temporary thread that nobody has used for so many seconds is removed; see docs/lifecycle.md",
    schema: whole(1, 31_536_000),
  },
  {
    name: "SESSION_MAX_BYTES",
    default: "5242880",
    description: "What a temporary thread may hold: uploads, files in its sandbox and kept copies, together",
    schema: whole(65_536, 1_099_511_627_776),
  },
  {
    name: "SESSION_BASE_DIR",
    description: "Where files of temporary threads are kept; default: in the data folder, with all others",
    schema: text,
  },
  {
    name: "SESSION_LEAVE_S",
    default: "30",
    description:
      "So many seconds after its page has left, a temporary thread ends, unless the page comes back",
    schema: whole(1, 86_400),
  },
  {
    name: "ATOLL_MCP_IDLE_S",
    default: "3600",
    description: "An MCP session without a request for so many seconds ends, with its sandbox",
    schema: whole(1, 31_536_000),
  },
  {
    name: "ATOLL_MCP_SERVERS",
    description:
      "A JSON file with MCP servers that agents may use, which run on this machine; see docs/mcp.md",
    schema: text,
  },
  {
    name: "SANDBOX_TIMEOUT_S",
    default: "6",
    description:
      "How long code may run in Pyodide: in threads of runtime auto, it is then run again in CPython",
    schema: whole(1, 3600),
  },
  {
    name: "SANDBOX_AS_MB",
    default: "768",
    description: "The memory of Pyodide with its files, in MiB; 0: what WebAssembly allows",
    schema: whole(0, 4096),
  },
  {
    name: "PYODIDE_INDEX_URL",
    description: "A folder or a server with Pyodide's files, instead of the npm package; see docs/pyodide.md",
    schema: text,
  },
  {
    name: "SANDBOX_ECHO_CODE",
    description: "`1` or `true`: the results of `sandboxed_python` and `cpython_python` hold the code",
    schema: text,
  },
  {
    name: "CPYTHON_BIN",
    description: "The Python of the runtimes local and host, instead of the one that set-up made",
    schema: text,
  },
  { name: "PYTHON_BIN", description: "The same, where CPYTHON_BIN is not set", schema: text },
  {
    name: "CPYTHON_TIMEOUT_S",
    default: "15",
    description:
      "How long `cpython_python` may run; where it is set, every run in CPython of a thread of runtime auto",
    schema: whole(1, 3600),
  },
  {
    name: "CPYTHON_FSIZE_MB",
    default: "50",
    description: "The size of a file that CPython may write in threads of runtime auto",
    schema: whole(1, 1_000_000),
  },
  {
    name: "CPYTHON_NOFILE",
    default: "64",
    description:
      "The files that a process of CPython may have open in such threads; fewer than 16 are refused",
    schema: whole(16, 1_000_000),
  },
  {
    name: "CPYTHON_AS_MB",
    default: "0",
    description: "The memory of CPython in such threads; 0: what every sandbox has",
    schema: whole(0, 1_000_000),
  },
  {
    name: "CPYTHON_DATA_ROOT",
    default: "/data",
    description:
      "Where CPython finds the data sets in such threads: `/data`, or a link below `/workspace`, `/session` or `/tmp`",
    schema: text.regex(
      /^\/(data$|(workspace|session|tmp)\/.)/,
      "must be /data, or below /workspace, /session or /tmp",
    ),
  },
] as const satisfies readonly Variable[];

/** Those that the drivers and tools read from the environment themselves. */
export const sandboxVariables: readonly VariableName[] = variables
  .map(({ name }) => name)
  .filter((name) => RUNTIME_VARIABLES.has(name) || name === "SANDBOX_ECHO_CODE");

/** Variables of other parts, listed in docs/sandbox.md: known here so that they are not taken for mistakes. */
export const foreignVariables: readonly string[] = [...RUNTIME_VARIABLES].filter(
  (wanted) => !variables.some(({ name }) => name === wanted),
);

export type VariableName = (typeof variables)[number]["name"];
