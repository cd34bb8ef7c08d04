import { compareWithFile } from "./comparison.ts";
import { type Hunk, misfit } from "./patch.ts";

/** From the strictest to the most lenient: as it is, blanks at line ends aside, blanks at both ends aside. */
const trimmed: View = (line) => line.trim();
const views: readonly View[] = [(line) => line, (line) => line.trimEnd(), trimmed];

type View = (line: string) => string;

/**
 * The index of the line where a hunk's old lines are, at `from` or below. A unified diff's hint decides between several
 * places; without one they are an error, and so is none.
 */
export function findPlace(
  file: readonly string[],
  hunk: Hunk,
  { from, drift, name }: { from: number; drift: number; name: string },
): number {
  const old = listOld(hunk);
  const start = hunk.anchors.reduce((above, anchor) => findAnchor(file, anchor, above, name), from);
  const hint = hunk.line === undefined ? undefined : hunk.line - 1 + drift;
  if (old.length === 0) return placeInsertion(file, hunk, { start, hint });
  for (const view of views) {
    const places = listPlaces(file, old, view).filter(
      (at) => at >= start && (!hunk.isAtEnd || at + old.length === file.length),
    );
    const [first, second] = places;
    if (first === undefined) continue;
    if (hint !== undefined) return nearest(places, hint);
    if (second === undefined || hunk.anchors.length > 0 || from > 0) return first;
    const lines = places.slice(0, 5).map((at) => at + 1);
    throw misfit(
      `${name} fits at lines ${lines.join(", ")}: add lines around it, or "@@ " and a line above it, so that one is meant`,
    );
  }
  const elsewhere = listPlaces(file, old, trimmed)[0];
  if (elsewhere === undefined) throw misfit(`${name} does not fit. ${compareWithFile(file, old)}`);
  const reason = hunk.isAtEnd && elsewhere >= start ? "not at the file's end" : `above line ${start + 1}`;
  throw misfit(
    `${name} does not fit: its lines are at line ${elsewhere + 1}, ${reason}. Hunks follow the order of the file.`,
  );
}

function findAnchor(file: readonly string[], anchor: string, from: number, name: string): number {
  for (const view of views) {
    const at = file.findIndex((line, index) => index >= from && view(line) === view(anchor));
    if (at >= 0) return at + 1;
  }
  throw misfit(`${name}: no line below line ${from} is "${anchor}", which its @@ names`);
}

function placeInsertion(
  file: readonly string[],
  { isAtEnd, anchors }: Hunk,
  { start, hint }: { start: number; hint: number | undefined },
): number {
  if (isAtEnd) return file.length;
  if (hint !== undefined) return Math.min(Math.max(hint, start), file.length);
  return anchors.length > 0 ? start : file.length;
}

function listOld({ lines }: Hunk): string[] {
  return lines.filter(({ kind }) => kind !== "added").map(({ text }) => text);
}

function listPlaces(file: readonly string[], old: readonly string[], view: View): number[] {
  const wanted = old.map(view);
  const seen = viewFile(file, view);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= seen.length; at += 1) {
    if (wanted.every((line, index) => seen[at + index] === line)) places.push(at);
  }
  return places;
}

const viewed = new WeakMap<readonly string[], Map<View, readonly string[]>>();

/** Once for all hunks of a file. */
function viewFile(file: readonly string[], view: View): readonly string[] {
  const known = viewed.get(file) ?? new Map<View, readonly string[]>();
  viewed.set(file, known);
  const lines = known.get(view) ?? file.map(view);
  known.set(view, lines);
  return lines;
}

function nearest(places: readonly number[], hint: number): number {
  return places.reduce((best, at) => (Math.abs(at - hint) < Math.abs(best - hint) ? at : best));
}
