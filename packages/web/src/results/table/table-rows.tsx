import { useLanguage } from "../../i18n/language.tsx";
import { showCell } from "./cell.ts";
import type { Heading } from "./headings.ts";
import type { Row, Sorting } from "./rows.ts";
import { ariaSort, SortButton } from "./sort-button.tsx";

interface TableRowsProps {
  readonly headings: readonly Heading[];
  readonly rows: readonly Row[];
  readonly sorting: Sorting | undefined;
  onSort(sorting: Sorting | undefined): void;
}

export function TableRows({ headings, rows, sorting, onSort }: TableRowsProps) {
  const { texts, language } = useLanguage();
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={texts.table}>
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th
                key={heading.column}
                scope="col"
                title={heading.dtype}
                aria-sort={ariaSort(sorting, heading)}
                className={classOf(heading)}
              >
                {heading.sortName === undefined ? (
                  <span className="unsorted">{heading.name}</span>
                ) : (
                  <SortButton heading={heading} sorting={sorting} onSort={onSort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells, labels }, at) => (
            <tr key={at}>
              {headings.map((heading) => {
                const { column, dtype } = heading;
                const text = showCell(column < 0 ? labels[-1 - column] : cells[column], dtype, language);
                const about = {
                  className: classOf(heading),
                  ...(text.length > LONG_CHARACTERS ? { title: text } : {}),
                };
                return column < 0 ? (
                  <th key={column} scope="row" {...about}>
                    {text}
                  </th>
                ) : (
                  <td key={column} {...about}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Longer values are cut, and get a tooltip. */
const LONG_CHARACTERS = 40;

function classOf({ column, isNumber }: Heading): string | undefined {
  return column < 0 ? "row-label" : isNumber ? "number" : undefined;
}
