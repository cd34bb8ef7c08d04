import { resolveToolName } from "@atoll/protocol";
import type { Texts } from "../i18n/en.ts";

/** A tool's title. A tool without one goes by its name in words: `csv_join` is "Csv join". */
export function nameTool(name: string, texts: Texts): string {
  const titles: Readonly<Record<string, string>> = texts.tools;
  const tool = resolveToolName(name);
  return (Object.hasOwn(titles, tool) ? titles[tool] : undefined) ?? writeInWords(name);
}

function writeInWords(name: string): string {
  const words = name.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || name;
}
