import type { SyntaxNode } from "@lezer/common";

export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child;
}

export function textOf(code: string, node: SyntaxNode): string {
  return code.slice(node.from, node.to);
}

/** `a.b.c` of names alone; undefined for what is computed. */
export function dottedName(code: string, node: SyntaxNode | null): string | undefined {
  if (node?.name === "VariableName") return textOf(code, node);
  if (node?.name !== "MemberExpression") return undefined;
  const [owner, dot, property] = [...childrenOf(node)];
  const start = owner && dot?.name === "." ? dottedName(code, owner) : undefined;
  return start && property ? `${start}.${textOf(code, property)}` : undefined;
}

/** The text of a string that is written out: no f-string with parts to fill in, no bytes. */
export function literalText(code: string, node: SyntaxNode | undefined): string | undefined {
  if (node?.name === "ContinuedString") {
    const texts = [...childrenOf(node)].map((part) => literalText(code, part));
    return texts.includes(undefined) ? undefined : texts.join("");
  }
  if (node?.name !== "String" && node?.name !== "FormatString") return undefined;
  if (node.getChild("FormatReplacement")) return undefined;
  const match = /^([a-z]*)('''|"""|'|")([^]*)\2$/i.exec(textOf(code, node));
  const [, prefix = "", , body = ""] = match ?? [];
  if (!match || /b/i.test(prefix)) return undefined;
  return /r/i.test(prefix) ? body : body.replaceAll(/\\(['"\\])/g, "$1");
}

/** The value of a number, or of a short product, power or sum of numbers. */
export function literalNumber(code: string, node: SyntaxNode | undefined, depth = 4): number | undefined {
  if (depth === 0) return undefined;
  if (node?.name === "Number") {
    const value = Number(textOf(code, node).replaceAll("_", ""));
    return Number.isNaN(value) ? undefined : value;
  }
  if (node?.name === "ParenthesizedExpression")
    return literalNumber(code, [...childrenOf(node)][1], depth - 1);
  if (node?.name !== "BinaryExpression") return undefined;
  const [one, operator, other] = [...childrenOf(node)];
  const [left, right] = [literalNumber(code, one, depth - 1), literalNumber(code, other, depth - 1)];
  if (left === undefined || right === undefined || !operator) return undefined;
  return arithmetic[textOf(code, operator)]?.(left, right);
}

const arithmetic: Readonly<Record<string, (one: number, other: number) => number>> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "**": (one, other) => one ** other,
  "//": (one, other) => Math.floor(one / other),
};

export interface Arguments {
  readonly positional: readonly SyntaxNode[];
  readonly keyword: ReadonlyMap<string, SyntaxNode>;
}

/** What a call is given, as far as it is written out; what a star adds is left out. */
export function argumentsOf(code: string, call: SyntaxNode): Arguments {
  const positional: SyntaxNode[] = [];
  const keyword = new Map<string, SyntaxNode>();
  const list = call.getChild("ArgList");
  for (const part of list ? splitByComma(list) : []) {
    const [first, second, third] = part;
    if (first?.name === "VariableName" && second?.name === "AssignOp" && third)
      keyword.set(textOf(code, first), third);
    else if (first && first.name !== "*" && first.name !== "**") positional.push(first);
  }
  return { positional, keyword };
}

function splitByComma(list: SyntaxNode): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [[]];
  for (const child of childrenOf(list)) {
    if (child.name === ",") parts.push([]);
    else if (child.name !== "(" && child.name !== ")" && child.name !== "Comment") parts.at(-1)?.push(child);
  }
  return parts.filter((part) => part.length > 0);
}
