import type { SyntaxNode, Tree } from "@lezer/common";
import { argumentsOf, childrenOf, dottedName, literalNumber, literalText, textOf } from "./syntax.ts";

export interface CallFindings {
  /** Programs, processes and threads that it starts: `os.system`. */
  readonly processes: readonly string[];
  readonly network: readonly string[];
  /** Paths that are written out. */
  readonly files: readonly string[];
  /** How often the innermost of its loops with written-out ranges turns. */
  readonly turns: number;
  /** Elements of the largest value that it makes at once. */
  readonly elements: number;
  readonly sleepS: number;
  /** Code that it runs from a text, where that is written out. */
  readonly inner: readonly string[];
  /** It may read and bind names that cannot be seen in it. */
  readonly touchesUnknown: boolean;
  readonly usesNotebook: boolean;
}

/** `aliases`: what local names stand for; `constants`: names that stand for one text all along. */
export function findCalls(
  code: string,
  tree: Tree,
  aliases: ReadonlyMap<string, string>,
  constants: ReadonlyMap<string, string>,
): CallFindings {
  const found = {
    processes: new Set<string>(),
    network: new Set<string>(),
    files: new Set<string>(),
    inner: [] as string[],
    turns: 0,
    elements: 0,
    sleepS: 0,
    touchesUnknown: false,
    usesNotebook: false,
  };
  const text = (node: SyntaxNode | undefined) =>
    literalText(code, node) ??
    (node?.name === "VariableName" ? constants.get(textOf(code, node)) : undefined);
  const pathIn = (node: SyntaxNode | undefined, depth = 4): string | undefined => {
    if (depth === 0) return undefined;
    if (node?.name === "CallExpression" && /(^|\.)Path$/.test(dottedName(code, node.firstChild) ?? ""))
      return pathIn(argumentsOf(code, node).positional[0], depth - 1);
    if (node?.name !== "BinaryExpression") return text(node);
    const [one, , other] = [...childrenOf(node)];
    const [folder, name] = [pathIn(one, depth - 1), text(other)];
    return folder !== undefined && name !== undefined ? `${folder.replace(/\/$/, "")}/${name}` : undefined;
  };
  const enterCall = (node: SyntaxNode) => {
    const written = dottedName(code, node.firstChild) ?? methodName(code, node.firstChild);
    if (written === undefined) return;
    const callee = resolve(written, aliases);
    const { positional, keyword } = argumentsOf(code, node);
    const [first] = positional;
    if (processCalls.test(callee)) found.processes.add(callee);
    if (networkCalls.test(callee)) found.network.add(callee);
    if (openers.test(callee)) {
      const path = pathIn(first ?? keyword.get("file") ?? keyword.get("path"));
      if (path !== undefined) found.files.add(path);
    }
    if (callee === "range") found.turns = Math.max(found.turns, turnsOf(code, node));
    if (callee === "bytearray" || callee === "bytes")
      found.elements = Math.max(found.elements, literalNumber(code, first) ?? 0);
    if (callee === "time.sleep") found.sleepS = Math.max(found.sleepS, literalNumber(code, first) ?? 0);
    if (callee === "get_ipython") found.usesNotebook = true;
    if (callee === "exec" || callee === "eval") {
      const inner = text(first);
      if (inner === undefined) found.touchesUnknown = true;
      else found.inner.push(inner);
    } else if (reflection.has(callee)) found.touchesUnknown = true;
  };
  tree.iterate({
    enter({ name, node }) {
      if (name === "CallExpression") enterCall(node);
      else if (name === "BinaryExpression") {
        found.elements = Math.max(found.elements, repeatedElements(code, node));
        const path = pathIn(node);
        if (path !== undefined && node.firstChild?.name === "CallExpression") found.files.add(path);
      }
    },
  });
  return { ...found, processes: [...found.processes], network: [...found.network], files: [...found.files] };
}

const processCalls =
  /^(subprocess\.|multiprocessing\.|threading\.(Thread|Timer)$|_thread\.start|concurrent\.futures\.|os\.(system|popen|fork|exec[lv]|spawn|posix_spawn|startfile|kill)|asyncio\.create_subprocess|pty\.)/;
const networkCalls =
  /^(socket\.|ssl\.|urllib\.request\.|http\.(client|server)\.|requests\.|httpx\.|aiohttp\.|ftplib\.|smtplib\.|asyncio\.(open_connection|start_server))/;
const openers =
  /(^|\.)(open|Path|PurePath|ZipFile|TarFile|File|connect|loadtxt|genfromtxt|read_(csv|excel|json|parquet|table|text|feather|pickle|sql|xml|html)|read_bytes|load|imread|getsize|scan_csv|scan_parquet)$/;
const reflection = new Set(["globals", "locals", "vars", "setattr", "compile"]);

/** `np.random.x` → `numpy.random.x`. */
function resolve(name: string, aliases: ReadonlyMap<string, string>): string {
  const [first = "", ...rest] = name.split(".");
  return [aliases.get(first) ?? first, ...rest].join(".");
}

/** `.name` of a call on something computed. */
function methodName(code: string, callee: SyntaxNode | null): string | undefined {
  const property = callee?.name === "MemberExpression" ? callee.getChild("PropertyName") : undefined;
  return property ? `.${textOf(code, property)}` : undefined;
}

/** Of this range and of those around it whose turns are written out too. */
function turnsOf(code: string, call: SyntaxNode): number {
  const own = lengthOfRange(code, call);
  let around = 1;
  for (let at = call.parent; at; at = at.parent) {
    if (at.name !== "ForStatement" || !at.parent) continue;
    const source = at.getChild("in")?.nextSibling;
    const isOwn = source && source.from <= call.from && call.to <= source.to;
    if (!isOwn && source?.name === "CallExpression" && dottedName(code, source.firstChild) === "range")
      around *= Math.max(lengthOfRange(code, source), 1);
  }
  return own * around;
}

function lengthOfRange(code: string, call: SyntaxNode): number {
  const numbers = argumentsOf(code, call).positional.map((node) => literalNumber(code, node));
  if (numbers.includes(undefined)) return 0;
  const [one = 0, other, step = 1] = numbers as number[];
  return Math.max(0, other === undefined ? one : (other - one) / (step || 1));
}

/** Of `[0] * 10**9` and its like. */
function repeatedElements(code: string, node: SyntaxNode): number {
  const [one, operator, other] = [...childrenOf(node)];
  if (!operator || textOf(code, operator) !== "*") return 0;
  const isMany = (side: SyntaxNode | undefined) => /^(Array|Tuple)Expression$|String$/.test(side?.name ?? "");
  if (isMany(one)) return literalNumber(code, other) ?? 0;
  return isMany(other) ? (literalNumber(code, one) ?? 0) : 0;
}
