import type { HighlighterCore } from "shiki/core";

export type CodeLanguage = "python" | "bash" | "json" | "javascript" | "sql" | "diff";

export interface ColouredLine {
  readonly text: string;
  readonly tokens: readonly { readonly text: string; readonly className: string }[];
}

type State = NonNullable<ReturnType<HighlighterCore["getLastGrammarState"]>>;

/** Colours code line by line. It can stop after any line, and continues there when it is called again with more code. */
export class Colouring {
  readonly #highlighter: HighlighterCore;
  readonly #language: CodeLanguage;
  #done: { readonly line: ColouredLine; readonly after: State | undefined }[] = [];

  constructor(highlighter: HighlighterCore, language: CodeLanguage) {
    this.#highlighter = highlighter;
    this.#language = language;
  }

  /** False if the time ran out before all lines were coloured. */
  advance(code: string, untilMs: number): boolean {
    const texts = code.split("\n");
    const kept = this.#done.findIndex(({ line }, index) => line.text !== texts[index]);
    if (kept !== -1) this.#done = this.#done.slice(0, kept);
    while (this.#done.length < texts.length) {
      this.#done.push(this.#colour(texts[this.#done.length] ?? "", this.#done.at(-1)?.after));
      if (performance.now() > untilMs) break;
    }
    return this.#done.length === texts.length;
  }

  get lines(): readonly ColouredLine[] {
    return this.#done.map(({ line }) => line);
  }

  #colour(text: string, before: State | undefined) {
    const options = { lang: this.#language, theme: "atoll", grammarState: before };
    const found = this.#highlighter.codeToTokensBase(text, options);
    const tokens = (found[0] ?? []).map(({ content, color }) => ({
      text: content,
      className: classes[color ?? ""] ?? "",
    }));
    return { line: { text, tokens }, after: this.#highlighter.getLastGrammarState(found) };
  }
}

let loading: Promise<HighlighterCore> | undefined;
let loaded: HighlighterCore | undefined;

/** Undefined until it is loaded. */
export function findHighlighter(): HighlighterCore | undefined {
  return loaded;
}

/** Loads the highlighter with the first code that is shown. */
export async function loadHighlighter(): Promise<HighlighterCore> {
  loading ??= (async () => {
    const [{ createHighlighterCore }, { createJavaScriptRegexEngine }, ...languages] = await Promise.all([
      import("shiki/core"),
      import("shiki/engine/javascript"),
      import("@shikijs/langs/python"),
      import("@shikijs/langs/bash"),
      import("@shikijs/langs/json"),
      import("@shikijs/langs/javascript"),
      import("@shikijs/langs/sql"),
      import("@shikijs/langs/diff"),
    ]);
    loaded = await createHighlighterCore({
      themes: [theme],
      langs: languages.map((module) => module.default),
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    });
    return loaded;
  })();
  return loading;
}

/** The page's policy allows no inline styles, so each colour of this theme stands for a class. */
const kinds = {
  keyword: ["keyword", "storage", "markup.deleted"],
  string: ["string", "markup.inserted"],
  number: ["constant.numeric", "constant.language", "constant.character"],
  comment: ["comment", "meta.diff.header"],
  name: ["entity.name.function", "support.function", "entity.name.type", "support.type"],
} as const;

const colours = Object.fromEntries(Object.keys(kinds).map((kind, index) => [kind, `#00000${index + 1}`]));
const classes = Object.fromEntries(
  Object.entries(colours).map(([kind, hex]) => [hex.toUpperCase(), `code-${kind}`]),
);

const theme = {
  name: "atoll",
  type: "light" as const,
  colors: { "editor.foreground": "#000000", "editor.background": "#ffffff" },
  settings: Object.entries(kinds).map(([kind, scope]) => ({
    scope: [...scope],
    settings: { foreground: colours[kind] ?? "" },
  })),
};
