/** Longer texts are offered as a file. */
const LONG_CHARACTERS = 3000;
const LONG_LINES = 80;

export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
}

/** Names a text by its content, so that tables are loaded as tables. */
export function nameText(text: string, fallback: string): string {
  const lines = text.trim().split("\n").slice(0, 20);
  const counts = (sign: string) => lines.map((line) => line.split(sign).length - 1);
  const isTable = (sign: string) => {
    const [first = 0, ...others] = counts(sign);
    return lines.length > 2 && first > 0 && others.every((count) => count === first);
  };
  if (isTable("\t")) return "pasted.tsv";
  if (isTable(",") || isTable(";")) return "pasted.csv";
  if (/^[[{]/.test(text.trim()) && isJson(text)) return "pasted.json";
  return fallback;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
