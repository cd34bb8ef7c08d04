const MAX_SHOWN = 20;

/** The lines that were looked for, beside the part of the file that is most like them. */
export function compareWithFile(file: readonly string[], old: readonly string[]): string {
  const wanted = old.slice(0, MAX_SHOWN);
  const parts = ["These lines are not in the file:", ...wanted.map((line) => `  ${line}`)];
  if (file.length === 0) return [...parts, "The file is empty."].join("\n");
  const start = findMostLike(file, wanted);
  if (start === undefined) return parts.join("\n");
  const shown = file.slice(start, start + wanted.length);
  const lines = shown.map((line, index) => {
    const mark = line.trim() === wanted[index]?.trim() ? " " : "!";
    return `${mark} ${start + index + 1}\t${line}`;
  });
  return [...parts, `Most like them are lines ${start + 1} to ${start + shown.length}:`, ...lines].join("\n");
}

/** Where most of the lines are the same; undefined when none is. */
function findMostLike(file: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = line.trim();
    if (key !== "") places.set(key, [...(places.get(key) ?? []), index]);
  }
  const scores = new Map<number, number>();
  for (const [at, line] of file.entries()) {
    for (const index of places.get(line.trim()) ?? []) {
      const start = at - index;
      if (start >= 0) scores.set(start, (scores.get(start) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  for (const [start, score] of scores) {
    if (best === undefined || score > (scores.get(best) ?? 0)) best = start;
  }
  return best;
}
