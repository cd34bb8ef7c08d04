import { resolveToolName, toolAliases } from "@atoll/protocol";
import { resolveArgument, resolveInput } from "../aliases.ts";
import { escape, matches } from "./pattern.ts";
import type { Permission, PermissionRule } from "@atoll/protocol";

/** A call as rules look at it. */
export interface JudgedCall {
  /** Whose call it is: `main` is the one that talks to the user. */
  readonly agent: string;
  /** By whatever name it was called. */
  readonly tool: string;
  /** As the tool's schema has parsed them: what is judged is what runs. */
  readonly input: unknown;
}

/** The permission of the last rule that fits. A call that no rule names is allowed. */
export function judge(rules: readonly PermissionRule[], { agent, tool, input }: JudgedCall): Permission {
  const resolved = resolveInput(tool, input);
  // One argument by two names: whichever a rule looked at, the tool could mean the other.
  if (!resolved) return "deny";
  const call = { agent, tool: resolveToolName(tool), input: resolved };
  return rules.findLast((rule) => fits(rule, call))?.permission ?? "allow";
}

/**
 * What "always" means for a user who was shown this call: the same call again (`call`), or whatever this agent does
 * with the tool (`tool`).
 */
export function ruleFor(
  call: JudgedCall,
  permission: Permission,
  breadth: "call" | "tool" = "call",
): PermissionRule {
  const rule = { agent: escape(call.agent), tool: escape(resolveToolName(call.tool)), permission };
  if (breadth === "tool") return rule;
  const given = Object.entries(resolveInput(call.tool, call.input) ?? {});
  const input = Object.fromEntries(given.map(([name, value]) => [name, escape(asExactText(value))]));
  return { ...rule, input, exact: true };
}

/** A call under the tool's own names. */
interface ResolvedCall extends JudgedCall {
  readonly input: Readonly<Record<string, unknown>>;
}

function fits(rule: PermissionRule, call: ResolvedCall): boolean {
  if (rule.agent !== undefined && !matches(rule.agent, call.agent)) return false;
  return namesOf(call, rule).some((name) => matches(rule.tool, name) && fitsInput(rule, name, call));
}

/**
 * The names by which a rule may speak of a call. A pattern that allows means the tool's own name only: `shell_*` does
 * not allow `execute_shell`, which is also known as `shell_exec`.
 */
function namesOf({ tool, input }: ResolvedCall, rule: PermissionRule): readonly string[] {
  const others = Object.entries(toolAliases).filter(([name, alias]) => {
    if (alias.tool !== tool || (rule.permission === "allow" && rule.tool !== name)) return false;
    return Object.entries(alias.fixed ?? {}).every(([key, value]) => input[key] === value);
  });
  return [tool, ...others.map(([name]) => name)];
}

function fitsInput(
  { input: patterns = {}, exact }: PermissionRule,
  name: string,
  call: ResolvedCall,
): boolean {
  const named = Object.entries(patterns).map(
    ([key, pattern]) => [resolveArgument(name, key), pattern] as const,
  );
  const write = exact ? asExactText : asText;
  if (!named.every(([key, pattern]) => matches(pattern, write(call.input[key])))) return false;
  if (!exact) return true;
  const given = new Set(Object.keys(call.input));
  return named.length === given.size && named.every(([key]) => given.has(key));
}

/** An absent argument counts as an empty text. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** A text for each value, different for different values: a string that could be read as JSON is quoted. */
function asExactText(value: unknown): string {
  return typeof value === "string" && isJson(value) ? JSON.stringify(value) : asText(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
