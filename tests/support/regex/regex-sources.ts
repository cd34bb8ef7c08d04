import { glob, readFile } from "node:fs/promises";
import { parseAst } from "vitest/node";

/** A regular expression as the source has it. */
export interface RegexSource {
  /** File and line. */
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

export interface Sources {
  readonly regexes: readonly RegexSource[];
  /** Expressions that are put together from what only a run knows. */
  readonly dynamic: readonly string[];
}

/** Every regular expression of the files that the patterns name: literals, and `new RegExp` of constants of the same file. */
export async function readRegexes(root: string, patterns: readonly string[]): Promise<Sources> {
  const regexes: RegexSource[] = [];
  const dynamic: string[] = [];
  const isTest = (file: string): boolean => /\.(test|harness)\.tsx?$|\/(testing|conformance)\//.test(file);
  for await (const file of glob([...patterns], { cwd: root })) {
    if (isTest(file)) continue;
    const text = await readFile(`${root}/${file}`, "utf8");
    const tree = parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;
    const constants = new Map<string, Node>();
    visit(tree, (node) => {
      if (node.type === "VariableDeclarator" && node.init) constants.set(node.id?.name ?? "", node.init);
    });
    visit(tree, (node) => {
      const place = `${file}:${text.slice(0, node.start).split("\n").length}`;
      if (node.regex) regexes.push({ place, ...node.regex });
      if (node.type !== "NewExpression" || node.callee?.name !== "RegExp") return;
      const [pattern, flags] = (node.arguments ?? []).map((each) => evaluate(each, constants));
      if (pattern === undefined) dynamic.push(place);
      else regexes.push({ place, pattern, flags: flags ?? "" });
    });
  }
  return { regexes, dynamic };
}

/** What is read of a node of the syntax tree (ESTree). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly name?: string;
  readonly value?: unknown;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly id?: Node;
  readonly init?: Node | null;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly quasi?: Node;
  readonly quasis?: readonly { readonly value: { readonly raw: string; readonly cooked: string } }[];
  readonly expressions?: readonly Node[];
  readonly elements?: readonly Node[];
  readonly arguments?: readonly Node[];
  readonly tag?: Node;
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (typeof node === "object" && node !== null) {
    if ("type" in node && typeof node.type === "string") see(node as Node);
    for (const value of Object.values(node)) visit(value, see);
  }
}

/** The string that an expression of constants gives. */
function evaluate(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? node.value : undefined;
    case "Identifier": {
      const value = constants.get(node.name ?? "");
      return value && evaluate(value, constants);
    }
    case "TemplateLiteral":
    case "TaggedTemplateExpression": {
      const { quasis = [], expressions = [] } = node.quasi ?? node;
      const parts = quasis.map(({ value }, index) => {
        const expression = expressions[index];
        const inserted = expression === undefined ? "" : evaluate(expression, constants);
        return inserted === undefined ? undefined : (node.tag ? value.raw : value.cooked) + inserted;
      });
      return parts.includes(undefined) ? undefined : parts.join("");
    }
    case "CallExpression": {
      const { object, property } = node.callee ?? {};
      const separator = node.arguments?.[0];
      if (property?.name !== "join" || object?.type !== "ArrayExpression" || !separator) return undefined;
      const parts = (object.elements ?? []).map((each) => evaluate(each, constants));
      return parts.includes(undefined) ? undefined : parts.join(evaluate(separator, constants));
    }
    default:
      return undefined;
  }
}
