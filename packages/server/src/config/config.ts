import { BlockList, isIP } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ChosenLimits } from "../limits/thread-limits.ts";
import { ConfigError } from "./config-error.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { findNearest } from "./nearest.ts";
import { type NetworkConfig, readNetworkConfig } from "./network-config.ts";
import {
  foreignVariables,
  sandboxVariables,
  type Variable,
  type VariableName,
  variables,
} from "./variables.ts";

/** Everything that the environment decides, checked. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly isLoopback: boolean;
  readonly dataDir: string;
  /** As the user set it; where one is required and absent, `loadToken` creates it. */
  readonly token?: string;
  readonly model?: string;
  readonly openaiApiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly openaiModel?: string;
  readonly anthropicApiKey?: string;
  readonly googleApiKey?: string;
  readonly maxUploadBytes: number;
  readonly threadQuotaBytes: number;
  readonly maxInputChars: number;
  readonly rateLimit: { readonly windowMs: number; readonly max: number };
  readonly trustedProxies: BlockList;
  readonly runtime?: string;
  /** With the password: not to be printed. */
  readonly databaseUrl?: string;
  /** With the password: not to be printed. */
  readonly redisUrl?: string;
  readonly advertiseUrl?: string;
  readonly leaseMs: number;
  readonly approvalTimeoutMs: number;
  readonly sessions: {
    readonly ttlMs: number;
    readonly maxBytes: number;
    readonly leaveMs: number;
    /** Absent: the data folder. */
    readonly baseDir?: string;
  };
  readonly lifecycle: LifecycleConfig;
  /** The most that a thread's user may choose. */
  readonly threadLimits: ChosenLimits;
  readonly network: NetworkConfig;
  readonly mcp: {
    readonly idleMs: number;
    /** Names the servers that agents may use. */
    readonly serversFile?: string;
  };
  readonly browser: {
    readonly idleMs: number;
    readonly image?: string;
  };
  /** For drivers and tools, which read them from the environment: those that are set, also in `.env`. */
  readonly sandboxEnv: Readonly<Record<string, string>>;
  /** For whoever starts the server to print. */
  readonly warnings: readonly string[];
}

/** When threads' sandboxes rest, and what is kept of them. */
export interface LifecycleConfig {
  readonly warmAfterMs: number;
  readonly coldAfterMs: number;
  /** 0: no thread is ever removed for its age. */
  readonly deleteAfterMs: number;
  /** How long a removed thread can be taken back; 0: there is no trash. */
  readonly trashMs: number;
  readonly maxHot: number;
  readonly maxWarm: number;
  readonly checkpointBytes: number;
}

const MB = 1024 * 1024;
const dayMs = 86_400_000;

/** Reads the environment and `.env` of the working folder. Throws a `ConfigError` that names every fault. */
export function loadConfig(
  options: { cwd?: string; env?: Environment; isDotEnvRead?: boolean } = {},
): Config {
  const { cwd = process.cwd(), env = process.env, isDotEnvRead = true } = options;
  const environment = isDotEnvRead ? readEnvironment(cwd, env) : env;
  const faults: string[] = [];
  const values = new Map<VariableName, unknown>();
  for (const variable of variables) {
    const checked = checkVariable(variable, environment[variable.name]);
    if (typeof checked === "object") faults.push(checked.fault);
    else if (checked !== undefined) values.set(variable.name, checked);
  }
  const trustedProxies = readNetworks(values.get("ATOLL_TRUSTED_PROXIES") as string | undefined, faults);
  const redisUrl = findRedis(values);
  if (values.has("DATABASE_URL") && redisUrl === undefined)
    faults.push(
      "DATABASE_URL: it needs REDIS_URL too: servers that share a database tell each other there who has which thread",
    );
  const network = readNetworkConfig(
    {
      usual: values.get("ATOLL_NETWORK") as string,
      widest: values.get("ATOLL_NETWORK_MAX") as string | undefined,
      egressFile: values.get("ATOLL_EGRESS_FILE") as string | undefined,
    },
    { cwd, environment },
    faults,
  );
  if (faults.length > 0) throw new ConfigError(faults);

  const number = (name: VariableName) => values.get(name) as number;
  const host = values.get("HOST") as string;
  return {
    port: number("PORT"),
    host,
    isLoopback: isLoopback(host),
    dataDir: resolve(
      cwd,
      (values.get("ATOLL_DATA_DIR") as string | undefined) ?? defaultDataDir(environment),
    ),
    maxUploadBytes: number("MAX_UPLOAD_MB") * MB,
    threadQuotaBytes: number("ATOLL_THREAD_QUOTA_MB") * MB,
    maxInputChars: number("MAX_INPUT_CHARS"),
    rateLimit: { windowMs: number("RATE_LIMIT_WINDOW_MS"), max: number("RATE_LIMIT_MAX") },
    trustedProxies,
    lifecycle: {
      warmAfterMs: number("ATOLL_WARM_AFTER_S") * 1000,
      coldAfterMs: number("ATOLL_COLD_AFTER_S") * 1000,
      deleteAfterMs: number("ATOLL_DELETE_AFTER_DAYS") * dayMs,
      trashMs: number("ATOLL_TRASH_DAYS") * dayMs,
      maxHot: number("ATOLL_MAX_HOT"),
      maxWarm: number("ATOLL_MAX_WARM"),
      checkpointBytes: number("ATOLL_CHECKPOINT_MB") * MB,
    },
    network,
    mcp: {
      idleMs: number("ATOLL_MCP_IDLE_S") * 1000,
      ...(values.has("ATOLL_MCP_SERVERS")
        ? { serversFile: resolve(cwd, values.get("ATOLL_MCP_SERVERS") as string) }
        : {}),
    },
    browser: {
      idleMs: number("ATOLL_BROWSER_IDLE_S") * 1000,
      ...(values.has("ATOLL_BROWSER_IMAGE") ? { image: values.get("ATOLL_BROWSER_IMAGE") as string } : {}),
    },
    threadLimits: {
      memoryBytes: number("ATOLL_MAX_MEMORY_MB") * MB,
      cpus: number("ATOLL_MAX_CPUS"),
      diskBytes: number("ATOLL_MAX_DISK_MB") * MB,
      timeoutMs: number("ATOLL_MAX_RUN_S") * 1000,
    },
    leaseMs: number("ATOLL_LEASE_S") * 1000,
    sessions: {
      ttlMs: number("SESSION_TTL_S") * 1000,
      maxBytes: number("SESSION_MAX_BYTES"),
      leaveMs: number("SESSION_LEAVE_S") * 1000,
      ...(values.has("SESSION_BASE_DIR")
        ? { baseDir: resolve(cwd, values.get("SESSION_BASE_DIR") as string) }
        : {}),
    },
    approvalTimeoutMs: number("ATOLL_APPROVAL_TIMEOUT_S") * 1000,
    redisUrl,
    sandboxEnv: Object.fromEntries(
      sandboxVariables.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
    ),
    warnings: findUnknown(environment),
    ...pick(values, {
      token: "ATOLL_TOKEN",
      model: "ATOLL_MODEL",
      openaiApiKey: "OPENAI_API_KEY",
      openaiBaseUrl: "OPENAI_BASE_URL",
      openaiModel: "OPENAI_MODEL",
      anthropicApiKey: "ANTHROPIC_API_KEY",
      googleApiKey: "GOOGLE_GENERATIVE_AI_API_KEY",
      databaseUrl: "DATABASE_URL",
      advertiseUrl: "ATOLL_ADVERTISE_URL",
      runtime: values.has("SANDBOX_RUNTIME") ? "SANDBOX_RUNTIME" : "SANDBOX_PROVIDER",
    }),
  };
}

function findRedis(values: ReadonlyMap<VariableName, unknown>): string | undefined {
  if (values.has("REDIS_URL")) return values.get("REDIS_URL") as string;
  const host = values.get("REDIS_HOST") as string | undefined;
  if (host === undefined) return undefined;
  return `redis://${host.includes(":") ? `[${host}]` : host}:${String(values.get("REDIS_PORT"))}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function checkVariable(
  variable: Variable,
  given: string | undefined,
): string | number | undefined | { fault: string } {
  const value = given === undefined || given === "" ? variable.default : given;
  if (value === undefined) return undefined;
  const parsed = variable.schema.safeParse(value);
  if (parsed.success) return parsed.data as string | number;
  const shown = variable.isSecret ? "the value given" : JSON.stringify(value);
  return { fault: `${variable.name}: ${shown} is not valid: it ${parsed.error.issues[0]?.message}` };
}

function readNetworks(given: string | undefined, faults: string[]): BlockList {
  const networks = new BlockList();
  for (const entry of given
    ?.split(",")
    .map((part) => part.trim())
    .filter(Boolean) ?? []) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    if (isIP(address) !== 0 && bits >= 0 && bits <= most) networks.addSubnet(address, bits, family);
    else
      faults.push(
        `ATOLL_TRUSTED_PROXIES: ${JSON.stringify(entry)} is not valid: it must be an address or a network, e.g. 10.0.0.0/8`,
      );
  }
  return networks;
}

function findUnknown(environment: Environment): string[] {
  const known = [...variables.map(({ name }) => name as string), ...foreignVariables];
  return Object.keys(environment)
    .filter((name) => name.startsWith("ATOLL_") && !known.includes(name))
    .map((name) => {
      const nearest = findNearest(name, known);
      return `${name} is not a variable of Atoll and has no effect${nearest ? `; is ${nearest} meant?` : ""}`;
    });
}

function defaultDataDir(environment: Environment): string {
  return join(environment["XDG_DATA_HOME"] ?? join(homedir(), ".local/share"), "atoll");
}

function pick<Key extends string>(
  values: ReadonlyMap<VariableName, unknown>,
  names: Readonly<Record<Key, VariableName>>,
): Partial<Record<Key, string>> {
  const entries = (Object.entries(names) as [Key, VariableName][]).filter(([, name]) => values.has(name));
  return Object.fromEntries(entries.map(([key, name]) => [key, values.get(name)])) as Partial<
    Record<Key, string>
  >;
}
