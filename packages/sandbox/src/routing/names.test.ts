import { describe, expect, test } from "vitest";
import { analyzeCode } from "./analysis.ts";
import { builtinNames } from "./builtins.ts";
import { parseCode } from "./parse.ts";

const cases: readonly [code: string, reads: string, binds: string, deletes?: string][] = [
  ["x = y", "y", "x"],
  ["x = x + 1", "x", "x"],
  ["x = 1\nprint(x)", "", "x"],
  ["x += 1", "x", "x"],
  ["x: int = y", "y", "x"],
  ["x: Kind", "Kind", ""],
  ["a = b = c", "c", "a b"],
  ["(a, *b), c.d, e[f] = g", "c e f g", "a b"],
  ["import a.b, c as d\nfrom e import f as g, h", "", "a d g h"],
  ["if t:\n    x = 1\nx", "t x", "x"],
  ["if t:\n    x = 1\n    x + 1", "t", "x"],
  ["for i, j in rows:\n    i + j\nelse:\n    k", "rows k", "i j"],
  ["with a as b:\n    b", "a", "b"],
  ["try:\n    x = 1\nexcept E as e:\n    e\nx", "E e x", "x e"],
  ["def f(a, b=c, *d, **e) -> g:\n    return a + b + h", "c g h", "f"],
  ["def f():\n    return g()\ndef g():\n    return f()", "", "f g"],
  ["def f():\n    global x\n    x = 1", "", "f x"],
  ["def f():\n    global x\n    x += 1", "x", "f x"],
  ["def f():\n    n = 1\n    def g():\n        nonlocal n\n        n += m\n    return g", "m", "f"],
  ["class A(B, metaclass=M):\n    x = 1\n    y = x + z\n    def f(self):\n        return x", "B M z x", "A"],
  ["lambda a, b=c: a + b + d", "c d", ""],
  ["[x + y for x in x if z]", "x y z", ""],
  ["{k: v for k, vs in d.items() for v in vs}", "d", ""],
  ["sum(x * n for x in xs)", "xs n", ""],
  ["[last := x for x in xs]", "xs", "last"],
  ["print(n := m)", "m", "n"],
  ["f(key=value, *more)", "f value more", ""],
  ["@decorate(x)\ndef f(): ...", "decorate x", "f"],
  [
    "match value:\n    case Point(x=a) | [a, *_] if a > n: a\n    case {'k': b, **rest}: b",
    "value Point n",
    "a _ b rest",
  ],
  ["del x, y[0]", "x y", "", "x"],
  ["print(f'{a!r:>{b}} {{c}}', 'd')  # e", "a b", ""],
  ["变量 = 另一个 + 1", "另一个", "变量"],
  ["await task", "task", ""],
];

describe("the names that code uses", () => {
  test.each(cases)("%j", (code, reads, binds, deletes = "") => {
    const found = analyzeCode(code);
    const own = [...found.reads].filter((name) => !builtinNames.has(name));
    expect(own.toSorted()).toEqual(split(reads));
    expect([...found.binds].toSorted()).toEqual(split(binds));
    expect([...found.deletes].toSorted()).toEqual(split(deletes));
    expect(found.hasErrors).toBe(false);
  });

  test("what cannot be seen is said", () => {
    expect(analyzeCode("from x import *")).toMatchObject({ bindsUnknown: true, readsUnknown: false });
    expect(analyzeCode("exec(text)")).toMatchObject({ bindsUnknown: true, readsUnknown: true });
    expect(analyzeCode("globals()['x'] = 1")).toMatchObject({ bindsUnknown: true });
    expect(analyzeCode("exec('x = y')").binds).toContain("x");
    expect(analyzeCode("x = 1")).toMatchObject({ bindsUnknown: false, readsUnknown: false });
    expect(analyzeCode("x = (").hasErrors).toBe(true);
  });

  test("what ends at once is told from what may not", () => {
    for (const code of ["1 + 1", "x = y * 2", "print(len(x))"]) expect(analyzeCode(code).isBrief).toBe(true);
    for (const code of ["f()", "x.sort()", "while True: pass", "[i for i in x]", "9 ** 9 ** 9"])
      expect(analyzeCode(code).isBrief).toBe(false);
  });

  test("code that is too long, or takes too long to read, is left alone", () => {
    expect(analyzeCode("x = 1\n".repeat(10_000))).toMatchObject({ isOpaque: true, readsUnknown: true });
    expect(parseCode("x = 1\n".repeat(1000), 0)).toBeUndefined();
    expect(parseCode("x = 1\n".repeat(1000))?.length).toBe(6000);
  });
});

function split(names: string): string[] {
  return names.split(" ").filter(Boolean).toSorted();
}
