import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { allTools } from "./all-tools.ts";
import type { Tool } from "./tool.ts";

/** Another name under which people know a tool, with the arguments that it has there. */
export interface Alias {
  readonly tool: string;
  /** Name of an argument here → name under the alias. One that is optional can be given by either. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Arguments that the alias stands for. */
  readonly fixed?: Readonly<Record<string, string>>;
}

export const aliases: Readonly<Record<string, Alias>> = {
  python_exec: { tool: "execute_python", renames: { timeout_seconds: "timeout" } },
  python_execute: { tool: "execute_python", renames: { timeout_seconds: "timeout" } },
  execute_python_script: { tool: "execute_python" },
  code_sandbox: { tool: "execute_python" },
  javascript_execute: { tool: "javascript_exec", renames: { timeout_seconds: "timeout" } },
  shell_exec: { tool: "execute_shell", renames: { timeout_seconds: "timeout" } },
  shell_view: { tool: "shell_interactive", fixed: { action: "view" } },
  shell_write: { tool: "shell_interactive", fixed: { action: "write" } },
  shell_wait: { tool: "shell_interactive", fixed: { action: "wait" } },
  shell_kill: { tool: "shell_interactive", fixed: { action: "kill" } },
  read_file: { tool: "file_read", renames: { file: "path" } },
  write_file: { tool: "file_write", renames: { file: "path" } },
  list_files: { tool: "file_list" },
  delete_file: { tool: "file_delete" },
  glob: { tool: "file_find", renames: { glob: "pattern" } },
  screenshot_browser: { tool: "browser_screenshot" },
};

/** A tool by its name or by another name for it: then it goes by that name and takes the arguments it has there. */
export function findTool(name: string, tools: readonly Tool[] = allTools): Tool | undefined {
  const alias = findAlias(name);
  const tool = tools.find((known) => known.name === (alias?.tool ?? name));
  return tool && alias ? rename(tool, name, alias) : tool;
}

/** The one name of a tool, for rules that hold whatever it was called by. */
export function resolveToolName(name: string): string {
  return findAlias(name)?.tool ?? name;
}

/** The name that the tool itself has for an argument of this name. */
export function resolveArgument(name: string, argument: string): string {
  const renames = Object.entries(findAlias(name)?.renames ?? {});
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
  return { ...Object.fromEntries(resolved), ...findAlias(name)?.fixed };
}

function findAlias(name: string): Alias | undefined {
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

function rename(tool: Tool, name: string, { renames = {}, fixed = {} }: Alias): Tool {
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
