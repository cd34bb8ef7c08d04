import type { SyntaxNode, Tree } from "@lezer/common";
import { argumentsOf, childrenOf, dottedName, literalText, textOf } from "./syntax.ts";

export interface ImportUse {
  /** Dotted, as it is written; relative ones begin with dots. */
  readonly module: string;
  /** A `try` takes it calmly when the module is not there. */
  readonly isOptional: boolean;
}

export interface Imports {
  readonly modules: readonly ImportUse[];
  /** Local name → what it stands for: `np` → `numpy`, `run` → `subprocess.run`. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly hasStar: boolean;
  /** By a name that is only known when it runs. */
  readonly isDynamic: boolean;
}

/** `constants`: names that stand for one text all along. */
export function findImports(code: string, tree: Tree, constants: ReadonlyMap<string, string>): Imports {
  const modules: ImportUse[] = [];
  const aliases = new Map<string, string>();
  let [hasStar, isDynamic] = [false, false];
  tree.iterate({
    enter(reference) {
      if (reference.name === "ImportStatement") {
        const node = reference.node;
        if (isForTypesOnly(code, node)) return;
        const isOptional = isInLenientTry(code, node);
        for (const { module, name, alias } of readImport(code, node)) {
          modules.push({ module, isOptional });
          if (name === "*") hasStar = true;
          else if (name !== undefined) aliases.set(alias ?? name, `${module}.${name}`);
          else aliases.set(alias ?? firstPart(module), alias ? module : firstPart(module));
        }
      } else if (reference.name === "CallExpression") {
        const callee = dottedName(code, reference.node.firstChild);
        if (!callee || !importers.has(callee)) return;
        const [given] = argumentsOf(code, reference.node).positional;
        const module = literalText(code, given) ?? constants.get(given ? textOf(code, given) : "");
        if (module === undefined) isDynamic = true;
        else modules.push({ module, isOptional: isInLenientTry(code, reference.node) });
      }
    },
  });
  return { modules, aliases, hasStar, isDynamic };
}

export function firstPart(module: string): string {
  return module.split(".")[0] ?? module;
}

const importers = new Set([
  "__import__",
  "import_module",
  "importlib.import_module",
  "builtins.__import__",
  "runpy.run_module",
]);

interface Imported {
  readonly module: string;
  /** Of `from module import name`. */
  readonly name?: string;
  readonly alias?: string;
}

function readImport(code: string, node: SyntaxNode): Imported[] {
  const text = textOf(code, node)
    .replaceAll(/#[^\n]*/g, "")
    .replaceAll(/\\\n|[()\s]+/g, " ")
    .trim();
  const from = /^from ([. ]*)((?![. ])[^ ]*?|) ?import (.*)$/s.exec(text);
  const parts = (from?.[3] ?? text.replace(/^import /, "")).split(",").map((part) => part.trim());
  const named = parts.filter(Boolean).map((part) => part.replaceAll(/ ?\. ?/g, ".").split(" as "));
  return named.map(([name = "", alias]) => {
    const module = from ? `${(from[1] ?? "").replaceAll(" ", "")}${from[2]}` : name;
    return { module, ...(from && { name }), ...(alias && { alias: alias.trim() }) };
  });
}

/** Below `if TYPE_CHECKING:`, which is never true when code runs. */
function isForTypesOnly(code: string, node: SyntaxNode): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (at.name !== "Body" || at.parent.name !== "IfStatement") continue;
    const test = at.prevSibling && dottedName(code, at.prevSibling);
    if (test === "TYPE_CHECKING" || test === "typing.TYPE_CHECKING") return true;
  }
  return false;
}

const lenient = /\b(ImportError|ModuleNotFoundError|Exception|BaseException)\b/;

function isInLenientTry(code: string, node: SyntaxNode): boolean {
  for (let at = node; at.parent; at = at.parent) {
    if (at.name !== "Body" || at.parent.name !== "TryStatement" || at.prevSibling?.name !== "try") continue;
    const clauses = [...childrenOf(at.parent)];
    const isCaught = clauses.some((clause, index) => {
      const test = clauses[index + 1];
      return clause.name === "except" && test && (test.name === "Body" || lenient.test(textOf(code, test)));
    });
    if (isCaught) return true;
  }
  return false;
}
