import type { SyntaxNode } from "@lezer/common";
import { type Frame, Scope, type Visitor, Walk } from "./name-walk.ts";
import { childrenOf } from "./syntax.ts";

/** What code does to the names of its kernel. */
export interface NameUse {
  /** Names that it may read without having bound them itself, builtins too; also those that its functions read. */
  readonly reads: ReadonlySet<string>;
  readonly binds: ReadonlySet<string>;
  readonly deletes: ReadonlySet<string>;
}

/** Follows Python's rules of scopes. Where it cannot know (a branch, a loop), it errs on the side of a read. */
export function followNames(code: string, root: SyntaxNode): NameUse {
  const walk = new Walk(code, visitors);
  const module = new Scope("module", undefined);
  const frame: Frame = { scope: module, sure: new Set() };
  walk.visitAll(root, frame);
  for (const name of walk.later) if (!frame.sure?.has(name)) walk.reads.add(name);
  return { reads: walk.reads, binds: walk.binds, deletes: walk.deletes };
}

const skip: Visitor = () => {};

const visitors: Readonly<Record<string, Visitor>> = {
  String: skip,
  Comment: skip,
  PropertyName: skip,
  VariableName: (walk, node, frame) => walk.read(walk.text(node), frame),
  AssignStatement(walk, node, frame) {
    const parts = [...childrenOf(node)];
    const last = parts.findLastIndex(({ name }) => name === "AssignOp");
    for (const part of parts.slice(last + 1))
      if (last >= 0 || part.name === "TypeDef") walk.visit(part, frame);
    for (const part of parts.slice(0, Math.max(last, 0))) {
      if (part.name === "TypeDef") walk.visit(part, frame);
      else if (part.name !== "AssignOp") walk.bindTarget(part, frame);
    }
  },
  UpdateStatement(walk, node, frame) {
    walk.visitAll(node, frame);
    if (node.firstChild) walk.bindTarget(node.firstChild, frame);
  },
  NamedExpression(walk, node, frame) {
    if (node.lastChild) walk.visit(node.lastChild, frame);
    if (node.firstChild) bindFromExpression(walk, node.firstChild, frame);
  },
  DeleteStatement(walk, node, frame) {
    walk.visitAll(node, frame);
    if (frame.scope.kind !== "module") return;
    for (const child of childrenOf(node))
      if (child.name === "VariableName") walk.deletes.add(walk.text(child));
  },
  ScopeStatement(walk, node, { scope }) {
    const isGlobal = node.firstChild?.name === "global";
    for (const child of childrenOf(node)) {
      if (child.name !== "VariableName") continue;
      if (isGlobal && scope.kind !== "module") scope.globals.add(walk.text(child));
      // A nonlocal name is a variable of a function around this one.
      else if (!isGlobal) scope.bound.add(walk.text(child));
    }
  },
  ImportStatement: bindImports,
  FunctionDefinition: visitFunction,
  LambdaExpression: visitFunction,
  ComprehensionExpression: visitComprehension,
  ArrayComprehensionExpression: visitComprehension,
  DictionaryComprehensionExpression: visitComprehension,
  SetComprehensionExpression: visitComprehension,
  ClassDefinition(walk, node, frame) {
    const scope = new Scope("class", frame);
    let name = "";
    for (const child of childrenOf(node)) {
      if (child.name === "VariableName") name = walk.text(child);
      else walk.visit(child, child.name === "Body" ? { scope, sure: undefined } : frame);
    }
    walk.close(scope);
    walk.bind(name, frame);
  },
  Decorator(walk, node, frame) {
    const [, first, ...rest] = childrenOf(node);
    if (first) walk.visit(first, frame);
    for (const child of rest) if (child.name === "ArgList") walk.visit(child, frame);
  },
  ArgList(walk, node, frame) {
    if (node.getChild("for")) return visitComprehension(walk, node, frame);
    for (const child of childrenOf(node)) {
      const isBefore = child.name === "VariableName" && child.nextSibling?.name === "AssignOp";
      if (!isBefore) walk.visit(child, frame);
      else if (child.nextSibling && walk.text(child.nextSibling) === ":=") walk.bind(walk.text(child), frame);
    }
  },
  ForStatement(walk, node, frame) {
    let isTarget = true;
    const targets: SyntaxNode[] = [];
    for (const child of childrenOf(node)) {
      if (child.name === "in") isTarget = false;
      else if (isTarget && child.name !== "for") targets.push(child);
      else if (child.name === "Body") {
        const inside = { ...frame, sure: frame.sure && new Set(frame.sure) };
        for (const target of targets) walk.bindTarget(target, inside);
        walk.visit(child, inside);
      } else walk.visit(child, frame);
    }
  },
  WithStatement: bindAfterAs,
  TryStatement: bindAfterAs,
  IfStatement: visitBranches,
  WhileStatement: visitBranches,
  MatchClause: (walk, node, frame) =>
    walk.visitAll(node, { ...frame, sure: frame.sure && new Set(frame.sure) }),
  CapturePattern: (walk, node, frame) => walk.bind(walk.text(node), frame),
  AsPattern(walk, node, frame) {
    for (const child of childrenOf(node))
      if (child.name === "VariableName") walk.bind(walk.text(child), frame);
      else walk.visit(child, frame);
  },
  KeywordPattern(walk, node, frame) {
    for (const child of childrenOf(node)) if (child.name !== "VariableName") walk.visit(child, frame);
  },
  TypeDefinition(walk, node, frame) {
    const name = node.getChild("VariableName");
    if (name) walk.bind(walk.text(name), frame);
  },
};

function visitBranches(walk: Walk, node: SyntaxNode, frame: Frame): void {
  for (const child of childrenOf(node))
    if (child.name === "Body") walk.maybe(child, frame);
    else walk.visit(child, frame);
}

/** `with … as name`, `except … as name`; the bodies of `try` may end anywhere. */
function bindAfterAs(walk: Walk, node: SyntaxNode, frame: Frame): void {
  let isName = false;
  for (const child of childrenOf(node)) {
    if (isName) walk.bindTarget(child, node.name === "TryStatement" ? { ...frame, sure: undefined } : frame);
    else if (child.name === "Body" && node.name === "TryStatement") walk.maybe(child, frame);
    else if (child.name !== "as") walk.visit(child, frame);
    isName = child.name === "as";
  }
}

function visitFunction(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const scope = new Scope("function", frame);
  const inside: Frame = { scope, sure: undefined };
  for (const child of childrenOf(node)) {
    if (child.name === "ParamList") visitParameters(walk, child, frame, scope);
    else if (child.name === "VariableName" && node.name === "FunctionDefinition")
      walk.bind(walk.text(child), frame);
    else if (child.name === "TypeDef") walk.visit(child, frame);
    else walk.visit(child, inside);
  }
  walk.close(scope);
}

/** Defaults and annotations belong to the scope around the function. */
function visitParameters(walk: Walk, list: SyntaxNode, frame: Frame, scope: Scope): void {
  let isDefault = false;
  for (const child of childrenOf(list)) {
    if (child.name === "VariableName" && !isDefault) scope.bound.add(walk.text(child));
    else walk.visit(child, frame);
    isDefault = child.name === "AssignOp";
  }
}

function visitComprehension(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const scope = new Scope("comprehension", frame);
  const inside: Frame = { scope, sure: undefined };
  const rest: [SyntaxNode, Frame][] = [];
  let part: "element" | "target" | "source" = "element";
  let sources = 0;
  for (const child of childrenOf(node)) {
    if (child.name === "for") part = "target";
    else if (child.name === "in") [part, sources] = ["source", sources + 1];
    else if (part === "target") walk.bindTarget(child, inside);
    // The first source is evaluated outside.
    else
      rest.push([
        child,
        part === "source" && sources === 1 && child.prevSibling?.name === "in" ? frame : inside,
      ]);
  }
  for (const [child, where] of rest) walk.visit(child, where);
  walk.close(scope);
}

/** A walrus in a comprehension binds in the function or module around it. */
function bindFromExpression(walk: Walk, node: SyntaxNode, frame: Frame): void {
  let target = frame;
  while (target.scope.kind === "comprehension" && target.scope.parent) target = target.scope.parent;
  walk.bindTarget(node, target === frame ? frame : { ...target, sure: undefined });
  if (target !== frame) frame.scope.bound.add(walk.text(node));
}

function bindImports(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const parts = [...childrenOf(node)];
  const isFrom = parts[0]?.name === "from";
  const list = isFrom ? parts.slice(parts.findIndex(({ name }) => name === "import") + 1) : parts.slice(1);
  let name: string | undefined;
  let isDotted = false;
  const done = () => {
    if (name !== undefined) walk.bind(name, frame);
    [name, isDotted] = [undefined, false];
  };
  for (const part of list) {
    if (part.name === ",") done();
    else if (part.name === ".") isDotted = true;
    else if (part.name === "as") [name, isDotted] = [undefined, false];
    // `import a.b` binds a.
    else if (part.name === "VariableName" && !(isDotted && name !== undefined)) name = walk.text(part);
  }
  done();
}
