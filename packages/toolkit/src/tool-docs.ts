import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toolAliases } from "@atoll/protocol";
import { z } from "zod";
import { allTools, sandboxTools } from "./all-tools.ts";
import type { Tool } from "./tool.ts";

const ROOT = join(import.meta.dirname, "../../..");

// Run it after a change of a tool: it writes what README.md and docs/toolkit.md say about the tools.
if (import.meta.main) for (const page of renderPages()) writeFileSync(page.file, page.rendered);

/** The pages that name the tools, as they are and as the registry wants them. */
export function renderPages(): { path: string; file: string; written: string; rendered: string }[] {
  return [
    renderPage("README.md", (text) => text.replace(/\b\d+ tools\b/, `${allTools.length} tools`)),
    renderPage("docs/toolkit.md", (text) =>
      text
        .replace(/^\| tool \| arguments \|.*\n(?:\|.*\n)+/m, () => `${writeToolTable()}\n`)
        .replace(/^\| name \| tool \|.*\n(?:\|.*\n)+/m, () => `${writeAliasTable()}\n`),
    ),
  ];
}

function renderPage(path: string, render: (text: string) => string) {
  const file = join(ROOT, path);
  const written = readFileSync(file, "utf8");
  return { path, file, written, rendered: render(written) };
}

function writeToolTable(): string {
  const rows = allTools.map((tool) => {
    const names = Object.keys(toolAliases).filter((alias) => toolAliases[alias]?.tool === tool.name);
    return [
      `\`${tool.name}\`${sandboxTools.includes(tool) ? " •" : ""}`,
      listArguments(tool),
      names.map((alias) => `\`${alias}\``).join(" "),
      firstSentence(tool.description),
    ];
  });
  return writeTable(["tool", "arguments", "also known as", "what it does"], rows);
}

function writeAliasTable(): string {
  const rows = Object.entries(toolAliases)
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

/** Optional arguments are in brackets. */
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
