import type { Tree } from "@lezer/common";
import { type CallFindings, findCalls } from "./calls.ts";
import { findImports, type Imports } from "./imports.ts";
import { type Magic, takeOutMagics } from "./magics.ts";
import { followNames, type NameUse } from "./names.ts";
import { parseCode } from "./parse.ts";
import { childrenOf, literalText, textOf } from "./syntax.ts";

/** What can be seen in code without running it. Strings and comments say nothing about it. */
export interface CodeAnalysis extends NameUse, Pick<Imports, "modules" | "isDynamic"> {
  readonly magics: readonly Magic[];
  readonly calls: CallFindings;
  /** It may read names, or bind names, that cannot be seen in it: `exec`, `globals()`, `from x import *`. */
  readonly readsUnknown: boolean;
  readonly bindsUnknown: boolean;
  /** It ends at once, whatever its variables are: no loop, no function but a few that are known. */
  readonly isBrief: boolean;
  /** Its grammar is not that of Python, or of a newer Python than is known here. */
  readonly hasErrors: boolean;
  /** Too long or too deeply nested to be looked at. */
  readonly isOpaque: boolean;
}

const maxInner = 3;

export function analyzeCode(code: string, depth = 0): CodeAnalysis {
  try {
    return analyze(code, depth);
  } catch (error) {
    // Nested deeper than the stack.
    if (error instanceof RangeError) return opaque;
    throw error;
  }
}

function analyze(written: string, depth: number): CodeAnalysis {
  const plain = takeOutMagics(written);
  const tree = plain && parseCode(plain.code);
  if (!tree) return opaque;
  const { code, magics } = plain;
  const constants = findConstants(code, tree);
  const imports = findImports(code, tree, constants);
  const calls = findCalls(code, tree, imports.aliases, constants);
  const names = followNames(code, tree.topNode);
  const isUnknown = calls.touchesUnknown || magics.some(({ kind }) => kind === "magic");
  const own: CodeAnalysis = {
    ...names,
    modules: imports.modules,
    isDynamic: imports.isDynamic,
    magics,
    calls,
    readsUnknown: isUnknown,
    bindsUnknown: isUnknown || imports.hasStar,
    isBrief: isBrief(code, tree),
    hasErrors: hasErrors(tree),
    isOpaque: false,
  };
  const inner = depth < maxInner ? calls.inner.map((text) => analyzeCode(text, depth + 1)) : [];
  return inner.reduce(join, own);
}

function join(one: CodeAnalysis, other: CodeAnalysis): CodeAnalysis {
  return {
    ...one,
    reads: one.reads.union(other.reads),
    binds: one.binds.union(other.binds),
    deletes: one.deletes.union(other.deletes),
    modules: [...one.modules, ...other.modules],
    isDynamic: one.isDynamic || other.isDynamic,
    readsUnknown: one.readsUnknown || other.readsUnknown,
    bindsUnknown: one.bindsUnknown || other.bindsUnknown,
    calls: {
      ...one.calls,
      processes: [...one.calls.processes, ...other.calls.processes],
      network: [...one.calls.network, ...other.calls.network],
      files: [...one.calls.files, ...other.calls.files],
      turns: Math.max(one.calls.turns, other.calls.turns),
      elements: Math.max(one.calls.elements, other.calls.elements),
      sleepS: Math.max(one.calls.sleepS, other.calls.sleepS),
    },
  };
}

/** Names that are given one text, once, in the whole of it. */
function findConstants(code: string, tree: Tree): Map<string, string> {
  const texts = new Map<string, string>();
  const counts = new Map<string, number>();
  tree.iterate({
    enter({ name, node }) {
      if (name !== "AssignStatement" && name !== "UpdateStatement") return;
      const [target, operator, value, more] = [...childrenOf(node)];
      if (target?.name !== "VariableName") return;
      const variable = textOf(code, target);
      counts.set(variable, (counts.get(variable) ?? 0) + 1);
      const text = operator?.name === "AssignOp" && !more ? literalText(code, value) : undefined;
      if (text !== undefined) texts.set(variable, text);
    },
  });
  return new Map([...texts].filter(([variable]) => counts.get(variable) === 1));
}

const quickCalls = new Set(
  "print len str int float bool abs min max round type repr isinstance id ord chr hex bin divmod".split(" "),
);
const lengthy = /^(For|While)|Comprehension|^(Lambda|Function|Class)|^(Await|Yield|Import|Match|With)/;

function isBrief(code: string, tree: Tree): boolean {
  let isBrief = true;
  tree.iterate({
    enter({ name, node }) {
      if (lengthy.test(name) || (name === "ArithOp" && textOf(code, node) === "**")) isBrief = false;
      if (name === "CallExpression" && node.firstChild && !quickCalls.has(textOf(code, node.firstChild)))
        isBrief = false;
    },
  });
  return isBrief;
}

function hasErrors(tree: Tree): boolean {
  let isWrong = false;
  tree.iterate({ enter: ({ type }) => void (isWrong ||= type.isError) });
  return isWrong;
}

const opaque: CodeAnalysis = {
  reads: new Set(),
  binds: new Set(),
  deletes: new Set(),
  modules: [],
  isDynamic: false,
  magics: [],
  calls: {
    processes: [],
    network: [],
    files: [],
    turns: 0,
    elements: 0,
    sleepS: 0,
    inner: [],
    touchesUnknown: true,
    usesNotebook: false,
  },
  readsUnknown: true,
  bindsUnknown: true,
  isBrief: false,
  hasErrors: false,
  isOpaque: true,
};
