import { z } from "zod";
import { aliases } from "./aliases.ts";
import { allTools, sandboxTools } from "./all-tools.ts";
import type { Tool } from "./tool.ts";

// `node packages/toolkit/src/tool-table.ts` prints the tables of docs/toolkit.md.
if (import.meta.main) console.log(`${writeToolTable()}\n\n${writeAliasTable()}`);

export function writeToolTable(): string {
  const rows = allTools.map((tool) => {
    const names = Object.keys(aliases).filter((alias) => aliases[alias]?.tool === tool.name);
    return [
      `\`${tool.name}\`${sandboxTools.includes(tool) ? " •" : ""}`,
      listArguments(tool),
      names.map((alias) => `\`${alias}\``).join(" "),
      firstSentence(tool.description),
    ];
  });
  return writeTable(["tool", "arguments", "also known as", "what it does"], rows);
}

export function writeAliasTable(): string {
  const rows = Object.entries(aliases)
    .filter(([, { renames, fixed }]) => renames ?? fixed)
    .map(([name, { tool, renames = {}, fixed = {} }]) => [
      `\`${name}\``,
      `\`${tool}\``,
      [
        ...Object.entries(renames).map(([here, there]) => `\`${there}\` for \`${here}\``),
        ...Object.entries(fixed).map(([key, value]) => `\`${key}\` is \`${value}\``),
      ].join(", "),
    ]);
  return writeTable(["name", "tool", "its arguments"], rows);
}

/** Those that can be left out in brackets. */
function listArguments({ input }: Tool): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  return Object.keys(properties)
    .map((key) => (required.includes(key) ? `\`${key}\`` : `[\`${key}\`]`))
    .join(" ");
}

function firstSentence(text: string): string {
  return /^[^]*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === "" ? " |" : ` ${cell.replaceAll("|", "\\|")} |`)).join("")}`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
