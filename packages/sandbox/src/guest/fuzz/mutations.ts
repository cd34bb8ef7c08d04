/** A seeded source of choices: the same seed makes the same frames. */
export class Choices {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** JSON, or what looks like it, in the place of a sound value. */
const nastyTexts: readonly string[] = [
  "null",
  "true",
  "false",
  "{}",
  "[]",
  '""',
  '"x"',
  "0",
  "-1",
  "1.5",
  "1e999",
  "-1e999",
  "NaN",
  "Infinity",
  "9007199254740993",
  `1${"0".repeat(400)}`,
  '"__proto__"',
  '{"__proto__":{"x":1}}',
  "[null]",
  '[[],{"a":[]}]',
  '"\\ud800"',
  '"\\u0000"',
  `"${"y".repeat(70_000)}"`,
  `${"[".repeat(300)}${"]".repeat(300)}`,
  `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  '{"length":4294967295}',
  "undefined",
  '"unfinished',
  "'",
];

/** The JSON of a value with one of its parts, or the whole, replaced. Left as it is in more than half of the cases. */
export function mutateJson(value: unknown, choices: Choices): string {
  if (choices.below(8) > 2) return JSON.stringify(value);
  const places = listPlaces(value);
  const chosen = choices.of(places);
  return write(value, chosen, choices.of(nastyTexts));
}

/** Some bytes of these changed, cut off or put in. */
export function mutateBytes(bytes: Buffer, choices: Choices): Buffer {
  const changed = Buffer.from(bytes);
  for (let n = choices.below(4); n > 0; n--)
    if (changed.length > 0) changed[choices.below(changed.length)] = choices.below(256);
  if (choices.below(3) === 0) return changed.subarray(0, choices.below(changed.length + 1));
  if (choices.below(3) === 0)
    return Buffer.concat([changed, Buffer.alloc(choices.below(64), choices.below(256))]);
  return changed;
}

export function frameOf(header: string, body: Uint8Array): Buffer {
  const head = Buffer.from(header);
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32BE(head.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  return Buffer.concat([prefix, head, body]);
}

/** Each part of a value by its keys, the value itself among them. */
function listPlaces(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, part]) => listPlaces(part, [...place, key]))];
}

function write(value: unknown, place: readonly string[], replacement: string): string {
  const [key, ...rest] = place;
  if (key === undefined) return replacement;
  const entries = Object.entries(value as object).map(
    ([name, part]) => [name, name === key ? write(part, rest, replacement) : JSON.stringify(part)] as const,
  );
  if (Array.isArray(value)) return `[${entries.map(([, text]) => text).join(",")}]`;
  return `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}
