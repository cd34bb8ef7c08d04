import { parsePattern, type Pattern } from "./pattern.ts";

/** A text that grows: what a backtracking matcher may read again and again. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const MAX_WORDS = 300;
const LONG_REPEAT = 30;

/**
 * Attacks on one regular expression: before each loop of it what leads there, then the loop's own texts and pairs of
 * characters that its classes tell apart, then what fits nothing. Empty for one without a loop, which is linear.
 */
export function listAttacks(source: string, flags: string): Attack[] {
  const tree = parsePattern(source);
  const loops = listLoops(tree);
  if (loops.length === 0) return [];
  const letters = new Letters(tree, flags);
  const signs = letters.tellApart();
  const prefixes = new Set([
    "",
    ...loops.flatMap(({ before }) => [before.map((part) => letters.sample(part)).join("")]),
  ]);
  const words = new Set([
    ...signs,
    ...loops.flatMap(({ body }) => letters.samples(body)),
    ...loops.flatMap(({ before }) => {
      const lead = before.map((part) => letters.sample(part)).join("");
      return ["", ...signs].map((sign) => lead + sign);
    }),
    letters.sample(tree),
    ...signs.flatMap((one) => signs.map((other) => one + other)),
  ]);
  words.delete("");
  const suffixes = ["", "\n\u0000"];
  return [...words]
    .slice(0, MAX_WORDS)
    .flatMap((pump) =>
      [...prefixes].slice(0, 6).flatMap((prefix) => suffixes.map((suffix) => ({ prefix, pump, suffix }))),
    );
}

interface Loop {
  readonly body: Pattern;
  /** What stands before it. */
  readonly before: readonly Pattern[];
}

function listLoops(node: Pattern, before: readonly Pattern[] = []): Loop[] {
  switch (node.kind) {
    case "atom":
      return [];
    case "empty":
      return node.inner ? listLoops(node.inner, before) : [];
    case "choice":
      return node.options.flatMap((option) => listLoops(option, before));
    case "sequence":
      return node.parts.flatMap((part, index) => listLoops(part, [...before, ...node.parts.slice(0, index)]));
    case "repeat":
      return [
        ...(node.max >= LONG_REPEAT ? [{ body: node.body, before }] : []),
        ...listLoops(node.body, before),
      ];
  }
}

const ALPHABET = [
  ...Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code)),
  ..."éß一二年月？。，“”「」–’€²́\u00a0\u2028\ud83d",
  "😀",
];

/** What the atoms of a pattern match, found by trying. */
class Letters {
  readonly #flags: string;
  readonly #tree: Pattern;
  readonly #matches = new Map<string, string[]>();

  constructor(tree: Pattern, flags: string) {
    this.#tree = tree;
    this.#flags = flags.replaceAll(/[gy]/g, "");
  }

  /** One character of each set that the pattern's atoms make together. */
  tellApart(): string[] {
    const atoms = [...new Set(listAtoms(this.#tree))];
    const byMembership = new Map<string, string>();
    for (const letter of new Set([...atoms.flatMap((atom) => this.#of(atom).slice(0, 1)), ...ALPHABET])) {
      const key = atoms.map((atom) => (this.#of(atom).includes(letter) ? "1" : "0")).join("");
      if (!byMembership.has(key)) byMembership.set(key, letter);
    }
    return [...byMembership.values()];
  }

  /** A short text that fits. */
  sample(node: Pattern): string {
    return this.samples(node)[0] ?? "";
  }

  /** Some texts that fit, each option of a choice among them. */
  samples(node: Pattern): string[] {
    switch (node.kind) {
      case "atom":
        return this.#of(node.source).slice(0, 1);
      case "empty":
        return [""];
      case "choice":
        return node.options.flatMap((option) => this.samples(option).slice(0, 2));
      case "sequence": {
        const parts = node.parts.map((part) => this.samples(part));
        const longest = Math.max(1, ...parts.map((part) => part.length));
        return Array.from({ length: Math.min(longest, 60) }, (_, index) =>
          parts.map((part) => part[index % Math.max(1, part.length)] ?? "").join(""),
        );
      }
      case "repeat":
        return this.samples(node.body).map((text) => text.repeat(Math.max(1, Math.min(node.min, 50))));
    }
  }

  #of(atom: string): string[] {
    const known = this.#matches.get(atom);
    if (known !== undefined) return known;
    const regex = new RegExp(`^${atom}$`, this.#flags);
    const literal = /^\\?[^]$/u.test(atom) ? [[...atom].at(-1)!] : [];
    const found = [...new Set([..."a0 _", ...literal, ...ALPHABET])].filter((letter) => regex.test(letter));
    this.#matches.set(atom, found);
    return found;
  }
}

function listAtoms(node: Pattern): string[] {
  switch (node.kind) {
    case "atom":
      return [node.source];
    case "empty":
      return node.inner ? listAtoms(node.inner) : [];
    case "choice":
      return node.options.flatMap(listAtoms);
    case "sequence":
      return node.parts.flatMap(listAtoms);
    case "repeat":
      return listAtoms(node.body);
  }
}
