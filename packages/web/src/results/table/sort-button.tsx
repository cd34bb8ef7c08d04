import { ArrowDown, ArrowUp } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import type { Heading } from "./headings.ts";
import { nextSorting, type Sorting } from "./rows.ts";

interface SortButtonProps {
  readonly heading: Heading;
  readonly sorting: Sorting | undefined;
  onSort(sorting: Sorting | undefined): void;
}

/** A column's name; a click sorts by it. */
export function SortButton({ heading: { column, name }, sorting, onSort }: SortButtonProps) {
  const texts = useTexts();
  const Arrow = sorting?.isDescending ? ArrowDown : ArrowUp;
  return (
    <button type="button" title={texts.sortBy(name)} onClick={() => onSort(nextSorting(sorting, column))}>
      <span className="ellipsis">{name}</span>
      {sorting?.column === column ? <Arrow size={13} aria-hidden /> : null}
    </button>
  );
}

export function ariaSort(sorting: Sorting | undefined, { column }: Heading) {
  if (sorting?.column !== column) return "none";
  return sorting.isDescending ? "descending" : "ascending";
}
