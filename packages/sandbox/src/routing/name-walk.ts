import type { SyntaxNode } from "@lezer/common";
import { childrenOf, textOf } from "./syntax.ts";

export type Visitor = (walk: Walk, node: SyntaxNode, frame: Frame) => void;
export type Visitors = Readonly<Record<string, Visitor>>;

export class Scope {
  readonly bound = new Set<string>();
  readonly reads = new Set<string>();
  readonly globals = new Set<string>();
  readonly kind: "module" | "class" | "function" | "comprehension";
  readonly parent: Frame | undefined;

  constructor(kind: Scope["kind"], parent: Frame | undefined) {
    this.kind = kind;
    this.parent = parent;
  }
}

/** `sure`: of the module's own code, the names that are bound whenever this place is reached. */
export interface Frame {
  readonly scope: Scope;
  readonly sure: Set<string> | undefined;
}

/** What has been found so far, and how it is added to. `visitors` know the kinds of nodes. */
export class Walk {
  readonly reads = new Set<string>();
  readonly binds = new Set<string>();
  readonly deletes = new Set<string>();
  /** Read by functions, which run when all of this has been bound, or not at all. */
  readonly later = new Set<string>();
  readonly #code: string;
  readonly #visitors: Visitors;

  constructor(code: string, visitors: Visitors) {
    this.#code = code;
    this.#visitors = visitors;
  }

  visitAll(node: SyntaxNode, frame: Frame): void {
    for (const child of childrenOf(node)) this.visit(child, frame);
  }

  visit(node: SyntaxNode, frame: Frame): void {
    const visitor = this.#visitors[node.name];
    if (visitor) visitor(this, node, frame);
    else this.visitAll(node, frame);
  }

  text(node: SyntaxNode): string {
    return textOf(this.#code, node);
  }

  read(name: string, { scope, sure }: Frame): void {
    if (scope.kind !== "module") scope.reads.add(name);
    else if (!sure?.has(name)) this.reads.add(name);
  }

  bind(name: string, { scope, sure }: Frame): void {
    if (scope.kind === "module" || scope.globals.has(name)) this.binds.add(name);
    else scope.bound.add(name);
    if (scope.kind === "module") sure?.add(name);
  }

  /** Binds every name in an assignment's target; `a.b` and `a[0]` read instead. */
  bindTarget(node: SyntaxNode, frame: Frame): void {
    if (node.name === "VariableName") this.bind(this.text(node), frame);
    else if (/^(Tuple|Array|Parenthesized)Expression$/.test(node.name))
      for (const child of childrenOf(node)) this.bindTarget(child, frame);
    else this.visit(node, frame);
  }

  /** Code that may not be reached: what it binds is not sure afterwards. */
  maybe(node: SyntaxNode, frame: Frame): void {
    this.visit(node, { ...frame, sure: frame.sure && new Set(frame.sure) });
  }

  /** What the scope reads and does not bind is read by the one around it. */
  close({ bound, globals, reads, kind, parent }: Scope): void {
    if (!parent) return;
    for (const name of reads) {
      if (bound.has(name)) continue;
      if (globals.has(name)) this.later.add(name);
      else this.#readAround(name, parent, kind === "function");
    }
  }

  #readAround(name: string, frame: Frame, isLater: boolean): void {
    const { scope } = frame;
    // A class's names are not seen by the functions in it.
    if (isLater && scope.kind === "class" && scope.parent) this.#readAround(name, scope.parent, isLater);
    else if (isLater && scope.kind === "module") this.later.add(name);
    else this.read(name, frame);
  }
}
