import { findToolAlias, type ToolAlias } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { allTools } from "./all-tools.ts";
import type { Tool } from "./tool.ts";

/** A tool by its name or by another name for it: then it goes by that name and takes the arguments it has there. */
export function findTool(name: string, tools: readonly Tool[] = allTools): Tool | undefined {
  const alias = findToolAlias(name);
  const tool = tools.find((known) => known.name === (alias?.tool ?? name));
  return tool && alias ? rename(tool, name, alias) : tool;
}

/** The name that the tool itself has for an argument of this name. */
export function resolveArgument(name: string, argument: string): string {
  const renames = Object.entries(findToolAlias(name)?.renames ?? {});
  return renames.find(([, other]) => other === argument)?.[0] ?? argument;
}

/**
 * The arguments of a call under the names that the tool itself has for them. Undefined when one is given by two names:
 * no tool runs such a call.
 */
export function resolveInput(name: string, input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return {};
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const resolved = new Map(given.map(([key, value]) => [resolveArgument(name, key), value]));
  if (resolved.size < given.length) return undefined;
  return { ...Object.fromEntries(resolved), ...findToolAlias(name)?.fixed };
}

function rename(tool: Tool, name: string, { renames = {}, fixed = {} }: ToolAlias): Tool {
  if (!(tool.input instanceof z.ZodObject) || tool.input.def.checks?.length)
    throw new AtollError("internal", `${tool.name} takes no plain object`);
  const entries = Object.entries(tool.input.shape as z.ZodRawShape).flatMap(([key, schema]) => {
    const other = renames[key];
    if (Object.hasOwn(fixed, key)) return [];
    if (other === undefined) return [[key, schema] as const];
    const both = [other, key].map((either) => [either, schema] as const);
    return z.safeParse(schema, undefined).success ? both : both.slice(0, 1);
  });
  return {
    ...tool,
    name,
    input: z
      .strictObject(Object.fromEntries(entries))
      .refine((input) => resolveInput(name, input) !== undefined, {
        message: `Give each argument by one name: ${listPairs(renames)}`,
      }),
    run: (input, context) => tool.run(resolveInput(name, input), context),
  };
}

function listPairs(renames: Readonly<Record<string, string>>): string {
  return Object.entries(renames)
    .map(([own, other]) => `${other} or ${own}`)
    .join(", ");
}
