import { resolve } from "node:path";
import { expect, it } from "vitest";
import { listAttacks } from "../support/regex/attacks.ts";
import { growsTooFast } from "../support/regex/growth.ts";
import { readRegexes } from "../support/regex/regex-sources.ts";

const root = resolve(import.meta.dirname, "../..");
const packages = "packages/{agent,server,toolkit,sandbox,lifecycle,web,cli,client}/src/**/*.{ts,tsx}";

/** Put together while the program runs. Each is looked at by a person. */
const dynamic = [
  // Escaped words with "|" between them: no loop.
  "packages/web/src/history/mark-words.ts",
];

it.each([/\s+$/, /(a+)+$/, /^(?:a|a)*b/, /(\*\*)(\S.*?\S)\1/, /x(?=.*y)/g, /^\s*,?\s*$/])(
  "the attack finds %s, which takes more than linear time",
  ({ source, flags }) => expect(findAttack(source, flags)).toBeDefined(),
);

it.each([/(?<!\s)\s+$/, /^a+b/, /[^"]{1,100}"/, /\s+/g])(
  "the attack passes %s, which is linear",
  ({ source, flags }) => expect(findAttack(source, flags)).toBeUndefined(),
);

it("no text makes a regular expression of the source take more than linear time", async () => {
  const found = await readRegexes(root, [packages]);
  expect(found.regexes.length).toBeGreaterThan(400);
  expect(found.dynamic.map((place) => place.replace(/:\d+$/, ""))).toEqual(dynamic);
  const slow = found.regexes.flatMap(({ place, pattern, flags }) => {
    const attack = findAttack(pattern, flags);
    return attack === undefined ? [] : [`${place} /${pattern}/${flags} on ${JSON.stringify(attack)}`];
  });
  expect(slow).toEqual([]);
});

function findAttack(pattern: string, flags: string) {
  const regex = new RegExp(pattern, flags);
  const work = (text: string): void => {
    regex.lastIndex = 0;
    if (regex.global) text.replace(regex, "");
    else regex.exec(text);
  };
  return listAttacks(pattern, flags).find((attack) => growsTooFast(work, attack));
}
