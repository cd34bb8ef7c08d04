import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { languages } from "./language.tsx";
import { zh } from "./zh.ts";

type Tree = { readonly [name: string]: unknown };

describe.each(Object.entries(languages))("the texts in %s", (code, texts) => {
  const english = flatten(en);
  const translated = flatten(texts);

  it(`has every text of the page in ${code}, and no other`, () => {
    expect([...translated.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it.each([...english.keys()])(`has a text for %s in ${code}, with the values of the English one`, (path) => {
    expect(translated.get(path)).not.toBe("");
    expect(findValues(translated.get(path))).toEqual(findValues(english.get(path)));
  });
});

describe("the Chinese texts", () => {
  it("use Chinese punctuation", () => {
    const half = [...flatten(zh)].filter(([, text]) =>
      /[\u4E00-\u9FFF»]\s*[,.;:?!](\s|$)|[\u4E00-\u9FFF]\s?\(/.test(text),
    );
    expect(half).toEqual([]);
  });
});

/** Every text by its path. A text that takes arguments is called with a mark for each. */
function flatten(tree: Tree, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(tree)) {
    const at = `${path}${name}`;
    if (typeof value === "string") found.set(at, value);
    else if (typeof value === "function") found.set(at, call(value as (...args: unknown[]) => string));
    else if (value) for (const [inner, text] of flatten(value as Tree, `${at}.`)) found.set(inner, text);
  }
  // Only some languages name one.
  found.delete("suggestionLanguage");
  return found;
}

function call(text: (...args: unknown[]) => string): string {
  return text(...Array.from({ length: text.length }, (_, index) => `«${index}»`));
}

/** The marks that a text shows, each once. */
function findValues(text: string | undefined): readonly string[] {
  return [...new Set(text?.match(/«\d»/g))].toSorted();
}
