import { joinEnds } from "../cut.ts";
import type { JudgedCall } from "./judge.ts";

/** Of more, the beginning and the end are shown. */
const MAX_SHOWN_CHARS = 8000;
/** Longer calls cannot be approved: no person reads them. */
const MAX_CHARS = 100_000;
/** Deeper values are not indented: their spaces would outgrow them by far. */
const MAX_INDENTED_DEPTH = 30;

/** A call's arguments as a person is shown them before they say yes. */
export interface ShownCall {
  readonly text: string;
  /** Of the text that is not shown. */
  readonly omittedChars: number;
}

/** Undefined if it is too long to approve. Invisible characters are written out, and the number of cut ones is given. */
export function showCall({ input }: Pick<JudgedCall, "input">): ShownCall | undefined {
  const compact = JSON.stringify(input) ?? "";
  if (compact.length > MAX_CHARS) return undefined;
  const isDeep = depthOf(compact) > MAX_INDENTED_DEPTH;
  const text = revealHidden(isDeep ? compact : JSON.stringify(input, null, 2));
  const omittedChars = Math.max(0, text.length - MAX_SHOWN_CHARS);
  return { text: joinEnds(text, MAX_SHOWN_CHARS, "they run too"), omittedChars };
}

/** Characters that have no shape of their own, or change the order of others, as `\u{202e}`. */
export function revealHidden(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const HIDDEN =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** At least: brackets in texts count too. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of json) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth -= 1;
  }
  return deepest;
}
