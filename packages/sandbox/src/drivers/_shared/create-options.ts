import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { EgressOptions, NetworkPolicy } from "../../contract/network.ts";
import { checkEgress } from "../../network/egress-options.ts";
import { checkPolicy } from "../../network/policy.ts";
import { networkEnv } from "../../network/inside.ts";
import { MIN_OPEN_FILES } from "@atoll/protocol";
import { defaultLimits, type Limits } from "../../contract/limits.ts";
import type { Capabilities, CreateOptions, SandboxMode } from "../../contract/sandbox.ts";
import { AtollError } from "../../errors.ts";
import { checkDuration, checkStrings, invalid } from "../../guest/arguments.ts";

/** `CreateOptions` with every default filled in and every value checked. */
export interface SandboxSpec {
  readonly id: string;
  readonly isNamed: boolean;
  readonly mode: SandboxMode;
  /** What its inside is made of, where the caller names one. */
  readonly image: string | undefined;
  readonly limits: Limits;
  readonly datasets: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly network: NetworkPolicy;
  readonly egress: EgressOptions | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly orphanTimeoutMs: number;
  readonly fence: number | undefined;
  readonly dataDir: string;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

const defaultOrphanTimeoutMs = 10 * 60_000;
const maxEnvBytes = 64 * 1024;
const maxLabelsBytes = 16 * 1024;

export function checkCreateOptions(
  options: CreateOptions,
  capabilities: Capabilities,
  limits: Limits = defaultLimits,
): SandboxSpec {
  const { mode = "pinned" } = options;
  if (options.signal?.aborted) {
    throw new AtollError("aborted", "the caller gave up", { cause: options.signal.reason });
  }
  if (mode !== "pinned" && mode !== "ephemeral") throw invalid(`mode must be "pinned" or "ephemeral"`);
  if (options.image !== undefined && !capabilities.images)
    throw new AtollError(
      "not_supported",
      "this runtime has no images: its inside is made of this machine's programs",
    );
  const network = options.network === undefined ? "none" : checkNetwork(options.network, capabilities);
  if (options.egress) checkEgress(options.egress);
  const env = checkStrings("env", options.env);
  const { labels = {} } = options;
  checkSize("env", env, maxEnvBytes);
  checkSize("labels", labels, maxLabelsBytes);
  return {
    id: options.id === undefined ? randomBytes(12).toString("hex") : checkId(options.id),
    isNamed: options.id !== undefined,
    mode,
    image: options.image === undefined ? undefined : checkImage(options.image),
    limits: checkLimits(options.limits ?? {}, limits),
    datasets: nameDatasets(options.datasets ?? []),
    env: { ...networkEnv(network, options.egress), ...env },
    network,
    egress: options.egress,
    labels,
    orphanTimeoutMs: checkDuration("orphanTimeoutMs", options.orphanTimeoutMs ?? defaultOrphanTimeoutMs),
    fence: options.fence === undefined ? undefined : checkFence(options.fence),
    dataDir: findDataDir(options.dataDir),
    signal: options.signal,
    timeoutMs: options.timeoutMs === undefined ? undefined : checkDuration("timeoutMs", options.timeoutMs),
  };
}

function checkSize(name: string, value: Readonly<Record<string, string>>, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    throw invalid(`${name}: more than ${maxBytes} bytes; use a file`);
}

export function checkNetwork(given: NetworkPolicy, capabilities: Capabilities): NetworkPolicy {
  const policy = checkPolicy(given);
  const kind = typeof policy === "string" ? policy : "allow";
  if (capabilities.network.includes(kind)) return policy;
  const able = capabilities.network.join(", ") || "no policy at all";
  throw new AtollError(
    "not_supported",
    `this runtime cannot keep the network policy "${kind}"; it can keep: ${able}`,
  );
}

export function checkId(id: string): string {
  if (!/^[A-Za-z0-9_-]{6,64}$/.test(id))
    throw invalid("id must be 6 to 64 of the characters a-z A-Z 0-9 _ -");
  return id;
}

export function checkFence(fence: number): number {
  if (!Number.isSafeInteger(fence) || fence < 1) throw invalid("fence must be a whole number above 0");
  return fence;
}

function checkImage(image: string): string {
  if (!/^[a-z0-9][\w.:/@-]{0,254}$/.test(image) || image.includes(".."))
    throw invalid('image must be the name of an image, such as "python:3.13-slim"');
  return image;
}

export function findDataDir(dataDir = process.env["ATOLL_DATA_DIR"]): string {
  const base = process.env["XDG_DATA_HOME"] ?? join(homedir(), ".local/share");
  return resolve(dataDir ?? join(base, "atoll"));
}

function checkLimits(given: Partial<Limits>, defaults: Limits): Limits {
  const limits: Record<string, number> = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (!(name in defaultLimits))
      throw invalid(`limits.${name} does not exist; there are: ${Object.keys(defaultLimits).join(", ")}`);
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value > 0) || !Number.isFinite(value))
      throw invalid(`limits.${name} must be a number above 0`);
    if (name === "openFiles" && value < MIN_OPEN_FILES)
      throw invalid(
        `limits.openFiles must be at least ${MIN_OPEN_FILES}: less than that no program can start`,
      );
    limits[name] = name === "cpus" ? value : Math.floor(value);
  }
  return limits as unknown as Limits;
}

/** Name inside `/data` → path on the host. */
function nameDatasets(datasets: NonNullable<CreateOptions["datasets"]>): Record<string, string> {
  const pairs = Array.isArray(datasets)
    ? datasets.map((path: string) => [resolve(path).split("/").pop() ?? "", path] as const)
    : Object.entries(datasets as Record<string, string>);
  const named: Record<string, string> = {};
  for (const [name, path] of pairs) {
    if (name === "" || name === "." || name === ".." || /[/\0]/.test(name))
      throw invalid(`datasets: ${JSON.stringify(name)} cannot be a name inside /data`);
    if (name === "outputs") throw invalid("datasets: the name outputs is taken by /data/outputs");
    if (name in named)
      throw invalid(`datasets: two of them are called ${JSON.stringify(name)}; give names: { name: path }`);
    named[name] = resolve(path);
  }
  return named;
}
