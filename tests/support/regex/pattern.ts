/** A node of a pattern: what it can match, as far as attack strings need it. */
export type Pattern =
  | { readonly kind: "atom"; readonly source: string }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly body: Pattern; readonly min: number; readonly max: number }
  /** An assertion, an anchor, a back reference: takes no text here. `inner` is what a look-around looks for. */
  | { readonly kind: "empty"; readonly inner?: Pattern };

/** Reads a valid pattern of JavaScript. Flag `v`'s nested classes are read as one class. */
export function parsePattern(source: string): Pattern {
  const reader = new Reader(source);
  return reader.choice();
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(): Pattern {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !this.#is("|") && !this.#is(")")) parts.push(this.#repeat());
    return { kind: "sequence", parts };
  }

  #repeat(): Pattern {
    const body = this.#term();
    const match = this.#match(/([*+?]|\{(\d+)(,(\d*))?\})\??/y);
    if (match === undefined) return body;
    const [, sign, low, comma, high] = match;
    const min = sign === "+" ? 1 : Number(low ?? 0);
    const max =
      sign === "?" ? 1 : low === undefined ? Infinity : comma === undefined ? min : Number(high || Infinity);
    return { kind: "repeat", body, min, max };
  }

  #term(): Pattern {
    if (this.#match(/\(\?(?:[=!]|<[=!])/y)) return { kind: "empty", inner: this.#closed() };
    if (this.#match(/\((?:\?(?:[a-z]*(?:-[a-z]+)?:|<[^>]+>))?/y)) return this.#closed();
    if (this.#match(/\^|\$|\\[bB]|\\[1-9]\d*|\\k<[^>]+>/y)) return { kind: "empty" };
    const atom =
      this.#match(/\[(?:\\[^]|[^\]\\])*\]/y) ??
      this.#match(/\\(?:[pP]\{[^}]+\}|u\{[^}]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])/y) ??
      this.#match(/[^]/uy);
    return { kind: "atom", source: atom![0] };
  }

  #closed(): Pattern {
    const inner = this.choice();
    this.#take(")");
    return inner;
  }

  #is(sign: string): boolean {
    return this.#source.startsWith(sign, this.#at);
  }

  #take(sign: string): boolean {
    if (!this.#is(sign)) return false;
    this.#at += sign.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }
}
