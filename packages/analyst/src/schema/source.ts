import type { ColumnProfile, DataProfile, TableProfile } from "@atoll/protocol";
import { splitName, toStem } from "../language/words.ts";

/** What a plan reads from: one table, or two joined by a key that they share. */
export interface Source {
  readonly variable: string;
  readonly name: string;
  readonly columns: readonly ColumnProfile[];
  readonly rows: number;
  /** Words that name the table or its rows, as stems. */
  readonly nouns: readonly string[];
  readonly hasRepeatedNames: boolean;
  /** Variables that hold tables of the thread: code must not overwrite them. */
  readonly reserved: readonly string[];
  readonly join?: Join;
  /** Set when the file was too large to be loaded whole. */
  readonly partial?: { readonly loaded: number; readonly total: number };
}

export interface Join {
  readonly left: string;
  readonly right: string;
  readonly leftName: string;
  readonly rightName: string;
  readonly leftKey: string;
  readonly rightKey: string;
  /** Put behind a name of the right table that the left one has too. */
  readonly suffix: string;
  /** Several rows on the right may match one on the left, so that rows appear more than once. */
  readonly isManyToMany: boolean;
}

const MAX_TABLES = 12;
const MAX_PAIRS = 24;

const listed = new WeakMap<DataProfile, readonly Source[]>();

/** Single tables first, then the pairs that can be joined. The same list for the same profile. */
export function listSources(data: DataProfile): readonly Source[] {
  const known = listed.get(data) ?? readSources(data);
  listed.set(data, known);
  return known;
}

function readSources(data: DataProfile): Source[] {
  const tables = data.tables.filter((table) => table.variable !== undefined && table.columns.length > 0);
  const considered = tables.slice(0, MAX_TABLES);
  const reserved = tables.map((table) => table.variable ?? "df");
  const singles = considered.map((table) => toSource(table));
  const pairs = considered
    .flatMap((left) => considered.flatMap((right) => (left === right ? [] : (joinTables(left, right) ?? []))))
    .slice(0, MAX_PAIRS);
  return [...singles, ...pairs].map((source) => ({ ...source, reserved }));
}

function toSource(table: TableProfile): Source {
  const names = table.columns.map((column) => column.name);
  return {
    variable: table.variable ?? "df",
    name: table.name,
    columns: table.columns.filter((column, position) => names.indexOf(column.name) === position),
    rows: table.loaded_rows,
    nouns: nounsOf(table),
    hasRepeatedNames: new Set(names).size < names.length,
    reserved: [],
    ...(table.loaded_rows < table.rows && { partial: { loaded: table.loaded_rows, total: table.rows } }),
  };
}

function nounsOf(table: TableProfile): string[] {
  return splitName(table.name.replace(/\.\w+$/, "")).map((word) => toStem(word));
}

/** Left is the table with many rows a key, right the one that tells about each key. */
function joinTables(left: TableProfile, right: TableProfile): Source | undefined {
  const key = sharedKey(left, right);
  if (key === undefined) return undefined;
  const [leftSource, rightSource] = [toSource(left), toSource(right)];
  if (leftSource.hasRepeatedNames || rightSource.hasRepeatedNames) return undefined;
  const isRightUnique = key.right.distinct === right.loaded_rows;
  const isLeftUnique = key.left.distinct === left.loaded_rows;
  // The other direction of the same pair is listed too; only one of them is right.
  if (isLeftUnique && !isRightUnique) return undefined;
  if (isLeftUnique === isRightUnique && left.loaded_rows < right.loaded_rows) return undefined;
  const suffix = `_${rightSource.variable}`;
  const taken = new Set(leftSource.columns.map((column) => column.name));
  const added = rightSource.columns
    .filter((column) => column !== key.right || key.left.name !== key.right.name)
    .map((column) => (taken.has(column.name) ? { ...column, name: `${column.name}${suffix}` } : column));
  return {
    variable: leftSource.variable,
    name: `${left.name} + ${right.name}`,
    columns: [...leftSource.columns, ...added],
    rows: left.loaded_rows,
    nouns: [...leftSource.nouns, ...rightSource.nouns],
    hasRepeatedNames: false,
    reserved: [],
    join: {
      left: leftSource.variable,
      right: rightSource.variable,
      leftName: left.name,
      rightName: right.name,
      leftKey: key.left.name,
      rightKey: key.right.name,
      suffix,
      isManyToMany: !isRightUnique,
    },
  };
}

interface Key {
  readonly left: ColumnProfile;
  readonly right: ColumnProfile;
}

function sharedKey(left: TableProfile, right: TableProfile): Key | undefined {
  const candidates: (Key & { score: number })[] = [];
  for (const a of left.columns.slice(0, MAX_KEY_COLUMNS)) {
    for (const b of right.columns.slice(0, MAX_KEY_COLUMNS)) {
      const score = keyScore(a, b, left, right);
      if (score > 0) candidates.push({ left: a, right: b, score });
    }
  }
  return candidates.toSorted((one, other) => other.score - one.score)[0];
}

/** Keys stand at the front of a table. */
const MAX_KEY_COLUMNS = 60;

const plainNames = new WeakMap<ColumnProfile, string>();

/** A column's words, made once: each is compared with every column of every other table. */
function plainName(column: ColumnProfile): string {
  const name = plainNames.get(column) ?? splitName(column.name).join(" ");
  plainNames.set(column, name);
  return name;
}

function keyScore(a: ColumnProfile, b: ColumnProfile, left: TableProfile, right: TableProfile): number {
  if ((a.kind === "number") !== (b.kind === "number")) return 0;
  if (a.kind === "date" || a.kind === "boolean" || a.kind === "other") return 0;
  const [first, second] = [plainName(a), plainName(b)];
  const isUniqueSomewhere = a.distinct === left.loaded_rows || b.distinct === right.loaded_rows;
  const looksLikeKey = /(^| )(id|key|code|no|number|sku|email)$|编号|代码/.test(first);
  if (first === second && first !== "id" && (looksLikeKey || isUniqueSomewhere)) {
    return looksLikeKey ? 3 : 2;
  }
  // customer_id ↔ id of customers.
  const refersTo = (name: string, target: string, table: TableProfile): boolean =>
    target === "id" && name.endsWith(" id") && nounsOf(table).includes(toStem(name.slice(0, -3)));
  if (refersTo(first, second, right) || refersTo(second, first, left)) return 2.5;
  return 0;
}
