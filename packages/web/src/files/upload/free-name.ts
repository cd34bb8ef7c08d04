/** The name, or the next free one: `notes (2).txt`. */
export function findFreeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const [, stem = name, ending = ""] = /^(.+?)((?:\.tar)?\.[^.]+)?$/su.exec(name) ?? [];
  for (let count = 2; ; count += 1) {
    const candidate = `${stem} (${count})${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}
