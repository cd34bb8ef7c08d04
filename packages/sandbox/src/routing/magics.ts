import { parseCode } from "./parse.ts";

/** A line that only a notebook understands: `!ls`, `%timeit f()`, `%%bash`, `len?`. */
export interface Magic {
  readonly kind: "shell" | "magic" | "help";
  /** As it is written, without what it is given. */
  readonly name: string;
}

export interface PlainCode {
  /** The same number of lines, and Python alone. */
  readonly code: string;
  readonly magics: readonly Magic[];
}

const shellMagics = new Set(["!", "!!", "%%bash", "%%sh", "%%script", "%sx", "%system", "%pip", "%conda"]);
const magicLine = /^(\s*(?:[\p{L}_][\p{L}\p{N}_.]*\s*=\s*)?)(!!?|%%?[A-Za-z]\w*)/u;
const helpLine = /^\s*(?:\?{1,2}[\p{L}_][\p{L}\p{N}_.]*|[\p{L}_][\p{L}\p{N}_.]*\?{1,2})\s*$/u;
/** Inside these a line goes on, whatever it begins with. */
const continued = /String|Comment|ParenthesizedExpression|ArgList|Array|Tuple|Dictionary|Set|Format/;

/** Takes out what only a notebook understands, so that the rest can be read as Python. Undefined: see `parseCode`. */
export function takeOutMagics(code: string): PlainCode | undefined {
  const first = /^\s*(%%[A-Za-z]\w*)[^\n]*\n?/.exec(code);
  if (first?.[1]) return { code: rest(code, first[0], first[1]), magics: [describe(first[1])] };
  if (!/[!%?]/.test(code)) return { code, magics: [] };
  const tree = parseCode(code);
  if (!tree) return undefined;
  const magics: Magic[] = [];
  let offset = 0;
  const lines = code.split("\n").map((line) => {
    const start = offset;
    offset += line.length + 1;
    const [, before = "", name] = magicLine.exec(line) ?? [];
    const isHelp = name === undefined && helpLine.test(line);
    if (name === undefined && !isHelp) return line;
    const at = start + (name === undefined ? line.search(/\S/) : before.length);
    for (let node: Position | null = tree.resolveInner(at, 1); node; node = node.parent)
      if (node.from < at && continued.test(node.name)) return line;
    magics.push(name === undefined ? { kind: "help", name: "?" } : describe(name));
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    return before.includes("=") ? `${before}None` : `${indent}pass`;
  });
  return { code: lines.join("\n"), magics };
}

type Position = { readonly from: number; readonly name: string; readonly parent: Position | null };

function describe(name: string): Magic {
  return { kind: shellMagics.has(name) ? "shell" : "magic", name };
}

/** What a cell magic is given is Python only for some; these read names as any code does. */
function rest(code: string, head: string, name: string): string {
  return ["%%time", "%%timeit", "%%capture", "%%prun"].includes(name) ? `\n${code.slice(head.length)}` : "";
}
