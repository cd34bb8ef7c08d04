import { resolveInput, resolveToolName } from "../aliases.ts";
import type { Permission, PermissionRule } from "./rule.ts";

/** A call as rules look at it. */
export interface JudgedCall {
  /** Whose call it is: `main` is the one that talks to the user. */
  readonly agent: string;
  /** By whatever name it was called. */
  readonly tool: string;
  readonly input: unknown;
}

/** What the last rule that fits says; what no rule speaks of is allowed. */
export function judge(rules: readonly PermissionRule[], call: JudgedCall): Permission {
  return rules.findLast((rule) => fits(rule, call))?.permission ?? "allow";
}

/**
 * What "always" means to somebody who has been shown this call: the same call again (`call`), or whatever this agent does
 * with the tool (`tool`).
 */
export function ruleFor(
  call: JudgedCall,
  permission: Permission,
  breadth: "call" | "tool" = "call",
): PermissionRule {
  const rule = { agent: escape(call.agent), tool: resolveToolName(call.tool), permission };
  if (breadth === "tool") return rule;
  const given = Object.entries(resolveInput(call.tool, call.input));
  return { ...rule, input: Object.fromEntries(given.map(([name, value]) => [name, escape(asText(value))])) };
}

function fits(rule: PermissionRule, call: JudgedCall): boolean {
  if (rule.agent !== undefined && !matches(rule.agent, call.agent)) return false;
  if (!matches(resolveToolName(rule.tool), resolveToolName(call.tool))) return false;
  const input = resolveInput(call.tool, call.input);
  return Object.entries(rule.input ?? {}).every(([name, pattern]) => matches(pattern, asText(input[name])));
}

/** `*` is any text; a backslash takes its meaning away. No regular expression: one can take forever on a hostile text. */
function matches(pattern: string, text: string): boolean {
  const pieces = splitAtStars(pattern);
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const between = text.slice(first.length, text.length - last.length);
  let at = 0;
  for (const piece of others) {
    const found = between.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

function splitAtStars(pattern: string): string[] {
  const pieces = [""];
  for (const [token] of pattern.matchAll(/\\[*\\]|[^]/g)) {
    if (token === "*") pieces.push("");
    else pieces[pieces.length - 1] += token.length === 2 ? token.slice(1) : token;
  }
  return pieces;
}

function escape(text: string): string {
  return text.replaceAll(/[*\\]/g, String.raw`\$&`);
}

/** What is not given is as if it were empty. */
function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}
