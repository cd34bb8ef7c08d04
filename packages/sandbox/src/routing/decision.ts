import type { CodeAnalysis } from "./analysis.ts";
import { builtinNames } from "./builtins.ts";
import { firstPart, type ImportUse } from "./imports.ts";
import { dataModules, networkModules, networkParts, processModules, processParts } from "./modules.ts";

/** `light`: Pyodide. `heavy`: CPython. */
export type Place = "light" | "heavy";

export const placeNames: Readonly<Record<Place, string>> = { light: "Pyodide", heavy: "CPython" };

export interface Decision {
  readonly place: Place;
  /** In words for a user, e.g. `imports pandas`. */
  readonly reason: string;
}

/** What is known beside the code. */
export interface RoutingFacts {
  /** That the light runtime can import, by their first part. */
  readonly modules: ReadonlySet<string>;
  /** Of the user's own, in the workspace: what can be seen in them. */
  readonly ownModules: ReadonlyMap<string, CodeAnalysis>;
  /** By the path as the code has it. Absent: there is none, or nobody knows. */
  readonly fileBytes: ReadonlyMap<string, number>;
  /** Where variables live. */
  readonly names: ReadonlyMap<string, Place>;
  /** Kernels with variables that nobody has listed. */
  readonly unlisted: ReadonlySet<Place>;
  /** Modules that the light runtime has turned out not to have. */
  readonly missing: ReadonlySet<string>;
  /** Why this same code failed in the light runtime before. */
  readonly failedBefore?: string;
  readonly limits: RoutingLimits;
}

export interface RoutingLimits {
  readonly fileBytes: number;
  readonly turns: number;
  readonly elements: number;
  readonly timeoutMs: number;
}

export const defaultRoutingLimits: RoutingLimits = {
  fileBytes: 8 * 1024 * 1024,
  turns: 5_000_000,
  elements: 50_000_000,
  timeoutMs: 6000,
};

/** Says where code is to run. Light unless there is a reason. */
export function decidePlace(analysis: CodeAnalysis, facts: RoutingFacts): Decision {
  const reasons = [...reasonsForHeavy(analysis, facts)];
  if (reasons.length > 0) return { place: "heavy", reason: reasons.slice(0, maxReasons).join(", ") };
  const [name] = analysis.reads.intersection(namesIn("light", facts));
  if (name !== undefined)
    return { place: "light", reason: `uses ${name}, which lives in ${placeNames.light}` };
  return { place: "light", reason: "is plain Python" };
}

const maxReasons = 3;

function* reasonsForHeavy(analysis: CodeAnalysis, facts: RoutingFacts): Generator<string> {
  const { calls, magics } = analysis;
  if (analysis.isOpaque) yield "is too long to be looked at";
  if (facts.failedBefore !== undefined) yield facts.failedBefore;
  if (magics.some(({ kind }) => kind === "shell")) yield "runs a shell command";
  const magic = magics.find(({ kind }) => kind !== "shell");
  if (magic) yield `uses the notebook's ${magic.name}`;
  else if (calls.usesNotebook) yield "uses the notebook's shell";
  yield* reasonsOfModules(analysis, facts, new Set());
  if (analysis.isDynamic) yield "imports a module whose name is only known when it runs";
  yield* reasonsOfCalls(analysis);
  for (const path of calls.files) {
    const bytes = facts.fileBytes.get(path) ?? 0;
    if (bytes > facts.limits.fileBytes) yield `opens ${nameOf(path)} (${inWords(bytes)})`;
  }
  if (calls.turns > facts.limits.turns) yield `loops ${count(calls.turns)} times`;
  if (calls.elements > facts.limits.elements) yield `makes ${count(calls.elements)} elements at once`;
  if (calls.sleepS * 1000 >= facts.limits.timeoutMs) yield `sleeps ${calls.sleepS} s`;
  yield* reasonsOfState(analysis, facts);
}

function* reasonsOfModules(
  { modules }: CodeAnalysis,
  facts: RoutingFacts,
  seen: Set<string>,
): Generator<string> {
  for (const used of modules) {
    const name = firstPart(used.module.replace(/^\.+/, ""));
    if (seen.has(used.module)) continue;
    seen.add(used.module);
    const own = facts.ownModules.get(name);
    if (own) {
      const inner = [...reasonsOfModules(own, facts, seen), ...reasonsOfCalls(own)];
      if (inner[0] !== undefined) yield `imports ${name}, which ${inner[0]}`;
    } else yield* reasonsOfModule(used, name, facts);
  }
}

function* reasonsOfModule({ module, isOptional }: ImportUse, name: string, facts: RoutingFacts) {
  if (processModules.has(name) || processParts.has(module)) yield `starts processes or threads (${module})`;
  else if (networkModules.has(name) || networkParts.has(module)) yield `uses the network (${module})`;
  else if (facts.modules.has(name) && !facts.missing.has(name)) return;
  // Code that can do without a module is as well off without, unless the other runtime is known to have it.
  else if (name !== "" && (!isOptional || dataModules.has(name))) yield `imports ${name}`;
}

function* reasonsOfCalls({ calls }: CodeAnalysis): Generator<string> {
  if (calls.processes[0] !== undefined) yield `starts processes or threads (${calls.processes[0]})`;
  if (calls.network[0] !== undefined) yield `uses the network (${calls.network[0]})`;
}

function* reasonsOfState(analysis: CodeAnalysis, facts: RoutingFacts): Generator<string> {
  const heavy = namesIn("heavy", facts);
  const used = [...analysis.reads.intersection(heavy)];
  const where = placeNames.heavy;
  if (used.length > 0) {
    const verb = used.length === 1 ? "lives" : "live";
    yield `uses ${used.slice(0, maxReasons).join(", ")}, which ${verb} in ${where}`;
  } else if (analysis.readsUnknown && (heavy.size > 0 || facts.unlisted.has("heavy"))) {
    yield `may use any variable, and some live in ${where}`;
  } else if (facts.unlisted.has("heavy")) {
    const [name] = analysis.reads.difference(builtinNames).difference(namesIn("light", facts));
    if (name !== undefined) yield `uses ${name}, which may live in ${where}`;
  }
}

function namesIn(place: Place, { names }: RoutingFacts): Set<string> {
  return new Set([...names].flatMap(([name, where]) => (where === place ? [name] : [])));
}

function nameOf(path: string): string {
  return path.split("/").pop() || path;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function inWords(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
