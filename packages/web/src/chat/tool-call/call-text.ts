import { diffLines } from "../../ui/code/diff.ts";
import type { Call } from "../../thread/conversation.ts";
import type { CodeLanguage } from "../../ui/code/highlighting.ts";
import { resolveToolName } from "@atoll/protocol";

export interface CallText {
  /** A one-line summary; empty if the tool's name says it all. */
  readonly about: string;
  readonly code: string;
  readonly language?: CodeLanguage;
}

/** Describes a call for the user. */
export function describeCall({ tool, input, run, approval }: Call): CallText {
  const given = readArguments(approval?.decided?.input ?? input);
  const code = run?.code ?? textOf(given["code"]);
  if (code !== undefined) return { about: firstLine(code), code, language: languageOf(tool, run?.language) };
  const command = textOf(given["command"]);
  if (command !== undefined) return { about: firstLine(command), code: command, language: "bash" };
  const patch = resolveToolName(tool) === "apply_patch" ? textOf(given["patch"]) : undefined;
  if (patch !== undefined) return { about: filesOfPatch(patch).join(", "), code: patch, language: "diff" };
  const edit = resolveToolName(tool) === "file_edit" ? readEdit(given) : undefined;
  if (edit !== undefined)
    return { about: String(given["file"] ?? given["path"] ?? ""), code: edit, language: "diff" };
  const about = SUMMARY_ARGUMENTS.map((name) => textOf(given[name])).find((text) => text !== undefined);
  const json = typeof input === "string" ? input : JSON.stringify(input, null, 2);
  return { about: about === undefined ? "" : firstLine(about), code: json, language: "json" };
}

export function readArguments(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
}

/** The argument that a user would edit: the code or the command, if there is one. */
export function mainArgument(input: unknown): { readonly name: string; readonly text: string } | undefined {
  const given = readArguments(input);
  for (const name of ["code", "command", "patch", "content"]) {
    const text = textOf(given[name]);
    if (text !== undefined) return { name, text };
  }
  return undefined;
}

/** Arguments that summarize a call, the best first. */
const SUMMARY_ARGUMENTS = [
  "file",
  "path",
  "source",
  "pattern",
  "glob",
  "query",
  "url",
  "description",
  "task",
  "name",
  "packages",
  "message",
  "text",
  "element",
  "action",
];

export function languageOf(tool: string, ran?: "python" | "shell"): CodeLanguage {
  if (ran === "shell" || resolveToolName(tool) === "execute_shell") return "bash";
  return resolveToolName(tool) === "javascript_exec" ? "javascript" : "python";
}

/** An edit as a diff. */
export function readEdit(given: Readonly<Record<string, unknown>>): string | undefined {
  const { old_str: before, new_str: after } = given;
  return typeof before === "string" && typeof after === "string" ? diffLines(before, after) : undefined;
}

function filesOfPatch(patch: string): readonly string[] {
  const found = patch.matchAll(/^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm);
  return [...new Set([...found].map(([, file = ""]) => file.trim()))];
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return textOf(value.join(" "));
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The first meaningful line; often a comment. */
function firstLine(code: string): string {
  const lines = code.split("\n").map((line) => line.trim());
  const useful = lines.find((line) => line !== "" && !/^(import|from) /.test(line)) ?? lines[0] ?? "";
  return useful.replace(/^#+\s*/, "");
}
