import type { ColumnProfile } from "@atoll/protocol";

/** Text of the data as a Python literal. JSON's escapes are Python's too, so nothing in it can end the string. */
export function literal(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

export function list(values: readonly (string | number | boolean)[]): string {
  return `[${values.map((value) => literal(value)).join(", ")}]`;
}

export function pick(frame: string, column: ColumnProfile | string): string {
  return `${frame}[${literal(typeof column === "string" ? column : column.name)}]`;
}

const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** `name=value` where the name allows it, else an entry of a spread dictionary. */
export function keyword(name: string, value: string): string {
  const isIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);
  return isIdentifier ? `${name}=${value}` : `**{${literal(name)}: ${value}}`;
}

/** One line if it fits, else one argument a line. */
export function call(head: string, args: readonly string[], tail = ""): string {
  const line = `${head}(${args.join(", ")})${tail}`;
  if (line.length <= 88 || args.length === 0) return line;
  return `${head}(\n${args.map((argument) => `    ${argument.replaceAll("\n", "\n    ")},`).join("\n")}\n)${tail}`;
}

/** A chain of methods, one a line. */
export function chain(start: string, methods: readonly string[]): string {
  const [first = "", ...rest] = methods;
  const parts = [`${start}${first}`, ...rest];
  const line = parts.join("");
  if (line.length <= 80 && !line.includes("\n")) return line;
  const lines = parts.map((part) => `    ${part.replaceAll("\n", "\n    ")}`);
  return `(\n${lines.join("\n")}\n)`;
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `    ${line.replaceAll("\n", "\n    ")}`));
}
