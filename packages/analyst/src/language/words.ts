const IRREGULAR: Readonly<Record<string, string>> = {
  people: "person",
  men: "man",
  women: "woman",
  children: "child",
  statuses: "status",
  series: "series",
  species: "species",
  news: "news",
  days: "day",
  indices: "index",
};

/** The same form for one and for many. It need not be a real word, only equal on both sides of a comparison. */
export function toStem(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  if (/(ss|us|is)$/.test(word)) return word;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** `OrderDate` → order, date; `unit_price (USD)` → unit, price, usd. */
export function splitName(name: string): string[] {
  const spaced = name
    .normalize("NFKC")
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
  return spaced.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** Whether two words are the same but for a slip of the finger. Short words must be equal. */
export function isTypo(word: string, intended: string): boolean {
  const shorter = Math.min(word.length, intended.length);
  if (shorter < 5 || word[0] !== intended[0]) return false;
  const allowed = shorter >= 8 ? 2 : 1;
  if (Math.abs(word.length - intended.length) > allowed) return false;
  return editDistance(word, intended) <= allowed;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        best = Math.min(best, at(row - 2, column - 2) + 1);
      }
      current[column] = best;
    }
  }
  return at(left.length, right.length);
}

const CJK = /[\u3400-\u9fff\uf900-\ufaff]/;

export function hasChinese(text: string): boolean {
  return CJK.test(text);
}
