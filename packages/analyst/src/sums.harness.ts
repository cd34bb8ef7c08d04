import type { Cell, TestTable } from "./tables.harness.ts";

/** Plain arithmetic over rows, to check answers with. It shares nothing with the analyst. */
export type Row = Readonly<Record<string, Cell>>;

export function rowsOf({ columns }: TestTable): Row[] {
  const names = Object.keys(columns);
  return (columns[names[0] ?? ""] ?? []).map((_, row) =>
    Object.fromEntries(names.map((name) => [name, columns[name]?.[row] ?? null])),
  );
}

function numbers(rows: readonly Row[], name: string): number[] {
  return rows.map((row) => row[name]).filter((cell) => typeof cell === "number");
}

export function sum(rows: readonly Row[], name: string): number {
  return numbers(rows, name).reduce((total, value) => total + value, 0);
}

export function mean(rows: readonly Row[], name: string): number {
  return sum(rows, name) / numbers(rows, name).length;
}

/** Between the two middle values when their number is even. */
export function quantile(rows: readonly Row[], name: string, share: number): number {
  const sorted = numbers(rows, name).toSorted((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** Groups with their measure, greatest first. */
export function groupBy(
  rows: readonly Row[],
  key: (row: Row) => string,
  measure: (rows: readonly Row[]) => number,
): [string, number][] {
  const groups = Map.groupBy(rows, key);
  return [...groups]
    .map(([name, members]): [string, number] => [name, measure(members)])
    .toSorted((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
}

export function correlation(rows: readonly Row[], first: string, second: string): number {
  const pairs = rows
    .filter((row) => row[first] !== null && row[second] !== null)
    .map((row): [number, number] => [Number(row[first]), Number(row[second])]);
  const [meanX, meanY] = [0, 1].map(
    (side) => pairs.reduce((total, pair) => total + pair[side]!, 0) / pairs.length,
  ) as [number, number];
  const of = (left: 0 | 1, right: 0 | 1): number =>
    pairs.reduce(
      (total, pair) => total + (pair[left] - [meanX, meanY][left]!) * (pair[right] - [meanX, meanY][right]!),
      0,
    );
  return of(0, 1) / Math.sqrt(of(0, 0) * of(1, 1));
}

/** As answers write it: rounded as numpy rounds, half to even. */
export function money(value: number): string {
  const cents = value * 100;
  const isTie = Math.abs(Math.abs(cents % 1) - 0.5) < 1e-6;
  const rounded = isTie ? 2 * Math.round(cents / 2) : Math.round(cents);
  return (rounded / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function whole(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

export function percent(value: number): string {
  return `${value.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 })}%`;
}
