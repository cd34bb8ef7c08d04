import { expect, test } from "vitest";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

type Tree = { readonly [name: string]: unknown };

/** Every text by its path. What takes arguments is given marks in their place. */
function flatten(tree: Tree, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(tree)) {
    const at = `${path}${name}`;
    if (typeof value === "string") found.set(at, value);
    else if (typeof value === "function") found.set(at, call(value as (...args: unknown[]) => string));
    else for (const [inner, text] of flatten(value as Tree, `${at}.`)) found.set(inner, text);
  }
  return found;
}

function call(text: (...args: unknown[]) => string): string {
  return text(...Array.from({ length: text.length }, (_, index) => `«${index}»`));
}

const [english, chinese] = [flatten(en), flatten(zh)];

test("both languages have the same texts", () => {
  expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted());
});

test.each([...english.keys()])("%s uses the same values in both, each at least once", (path) => {
  const used = (text: string | undefined) => [...new Set(text?.match(/«\d»/g))].toSorted();
  expect(used(chinese.get(path))).toEqual(used(english.get(path)));
  expect(english.get(path)).not.toBe("");
});

test("Chinese has its own marks of punctuation", () => {
  const half = [...chinese].filter(([, text]) =>
    /[\u4E00-\u9FFF»]\s*[,.;:?!](\s|$)|[\u4E00-\u9FFF]\s?\(/.test(text),
  );
  expect(half).toEqual([]);
});
