import { isNumeric } from "./rows.ts";

/** The heading of a column or of a level of the index. */
export interface Heading {
  /** As in `Sorting`. */
  readonly column: number;
  readonly name: string;
  readonly dtype: string;
  readonly isNumber: boolean;
  /** The kernel's name for sorting by it; undefined if it cannot sort by it. */
  readonly sortName?: string;
}

interface Named {
  readonly columns: readonly { readonly name: string; readonly dtype: string }[];
  readonly index?: readonly unknown[] | undefined;
  readonly index_names?: readonly (string | null)[] | undefined;
}

/** In display order: the index first. */
export function readHeadings({ columns, index, index_names: names }: Named): readonly Heading[] {
  const known = new Set<string>();
  const shown = columns.map(({ name, dtype }, column): Heading => {
    // Of columns with the same name, the first is found by name and the others by position.
    const sortName = known.has(name) ? `#${column}` : name;
    known.add(name);
    return { column, name, dtype, isNumber: isNumeric(dtype), sortName };
  });
  return index === undefined ? shown : [...(names ?? [null]).map(toLevel), ...shown];

  function toLevel(name: string | null, level: number): Heading {
    const isFound = name !== null && !known.has(name);
    return {
      column: -1 - level,
      name: name ?? "",
      dtype: "index",
      isNumber: false,
      ...(isFound ? { sortName: name } : {}),
    };
  }
}
