import type { CodeAnalysis } from "./analysis.ts";
import { builtinNames } from "./builtins.ts";
import { firstPart, type ImportUse } from "./imports.ts";
import { dataModules, networkModules, networkParts, processModules, processParts } from "./modules.ts";
import type { PlaceReason } from "@atoll/protocol";

/** `light`: Pyodide. `heavy`: CPython. */
export type Place = "light" | "heavy";

export const placeNames: Readonly<Record<Place, string>> = { light: "Pyodide", heavy: "CPython" };

export interface Decision {
  readonly place: Place;
  readonly reasons: readonly PlaceReason[];
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
  readonly failedBefore?: PlaceReason;
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
  if (reasons.length > 0) return { place: "heavy", reasons: reasons.slice(0, maxReasons) };
  const [name] = analysis.reads.intersection(namesIn("light", facts));
  if (name !== undefined) return { place: "light", reasons: [{ code: "light_variable", of: name }] };
  return { place: "light", reasons: [{ code: "plain" }] };
}

const maxReasons = 3;

function* reasonsForHeavy(analysis: CodeAnalysis, facts: RoutingFacts): Generator<PlaceReason> {
  const { calls, magics } = analysis;
  if (analysis.isOpaque) yield { code: "too_long" };
  if (facts.failedBefore !== undefined) yield facts.failedBefore;
  if (magics.some(({ kind }) => kind === "shell")) yield { code: "shell" };
  const magic = magics.find(({ kind }) => kind !== "shell");
  if (magic) yield { code: "magic", of: magic.name };
  else if (calls.usesNotebook) yield { code: "notebook" };
  yield* reasonsOfModules(analysis, facts, new Set());
  if (analysis.isDynamic) yield { code: "unknown_module" };
  yield* reasonsOfCalls(analysis);
  for (const path of calls.files) {
    const bytes = facts.fileBytes.get(path) ?? 0;
    if (bytes > facts.limits.fileBytes) yield { code: "file", of: `${nameOf(path)} (${inWords(bytes)})` };
  }
  if (calls.turns > facts.limits.turns) yield { code: "loop", of: count(calls.turns) };
  if (calls.elements > facts.limits.elements) yield { code: "elements", of: count(calls.elements) };
  if (calls.sleepS * 1000 >= facts.limits.timeoutMs) yield { code: "sleep", of: String(calls.sleepS) };
  yield* reasonsOfState(analysis, facts);
}

function* reasonsOfModules(
  { modules }: CodeAnalysis,
  facts: RoutingFacts,
  seen: Set<string>,
): Generator<PlaceReason> {
  for (const used of modules) {
    const name = firstPart(used.module.replace(/^\.+/, ""));
    if (seen.has(used.module)) continue;
    seen.add(used.module);
    const own = facts.ownModules.get(name);
    if (own) {
      const inner = [...reasonsOfModules(own, facts, seen), ...reasonsOfCalls(own)];
      if (inner[0]) yield { ...inner[0], via: [name, ...(inner[0].via ?? [])] };
    } else yield* reasonsOfModule(used, name, facts);
  }
}

function* reasonsOfModule(
  { module, isOptional }: ImportUse,
  name: string,
  facts: RoutingFacts,
): Generator<PlaceReason> {
  if (processModules.has(name) || processParts.has(module)) yield { code: "processes", of: module };
  else if (networkModules.has(name) || networkParts.has(module)) yield { code: "network", of: module };
  else if (facts.modules.has(name) && !facts.missing.has(name)) return;
  // Code that can do without a module is as well off without, unless the other runtime is known to have it.
  else if (name !== "" && (!isOptional || dataModules.has(name))) yield { code: "module", of: name };
}

function* reasonsOfCalls({ calls }: CodeAnalysis): Generator<PlaceReason> {
  if (calls.processes[0] !== undefined) yield { code: "processes", of: calls.processes[0] };
  if (calls.network[0] !== undefined) yield { code: "network", of: calls.network[0] };
}

function* reasonsOfState(analysis: CodeAnalysis, facts: RoutingFacts): Generator<PlaceReason> {
  const heavy = namesIn("heavy", facts);
  const used = [...analysis.reads.intersection(heavy)];
  if (used.length > 0) {
    yield { code: "heavy_variables", of: used.slice(0, maxReasons).join(", ") };
  } else if (analysis.readsUnknown && (heavy.size > 0 || facts.unlisted.has("heavy"))) {
    yield { code: "any_variable" };
  } else if (facts.unlisted.has("heavy")) {
    const [name] = analysis.reads.difference(builtinNames).difference(namesIn("light", facts));
    if (name !== undefined) yield { code: "maybe_variable", of: name };
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
