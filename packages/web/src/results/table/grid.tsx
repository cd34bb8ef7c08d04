import type { TablePage } from "@atoll/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { useLanguage } from "../../i18n/language.tsx";
import { showCell } from "./cell.ts";
import { columnWidths } from "./column-widths.ts";
import { readHeadings } from "./headings.ts";
import { readRows, type Row, type Sorting } from "./rows.ts";
import { ariaSort, SortButton } from "./sort-button.tsx";
import "./grid.css";

interface GridProps {
  readonly page: TablePage;
  /** The first row shown, among those that pass the filter. */
  readonly start: number;
  readonly count: number;
  readonly rows: ReadonlyMap<number, Row>;
  readonly sorting: Sorting | undefined;
  /** A change scrolls back to the first rows. */
  readonly order: string;
  onSort(sorting: Sorting | undefined): void;
  need(start: number, end: number): void;
}

const ROW_PX = 30;

/** Renders the visible rows and requests those that are missing. */
export function Grid({ page, start, count, rows, sorting, order, onSort, need }: GridProps) {
  const { texts, language } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [order]);
  const visible = list.getVirtualItems();
  const first = visible[0]?.index ?? 0;
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => need(start + first, start + Math.min(last + 1, count)), [need, start, first, last, count]);
  const headings = useMemo(() => readHeadings(page), [page]);
  // From the first page only: widths must not change while scrolling.
  const widths = useRef<{ names: string; template: string }>(undefined);
  const names = headings.map(({ name }) => name).join("\0");
  if (widths.current?.names !== names) {
    widths.current = { names, template: columnWidths(headings, readRows(page)).join(" ") };
  }
  const { template } = widths.current;
  return (
    <div
      className="grid-scroll"
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label={texts.table}
      aria-rowcount={count + 1}
      onKeyDown={(event) => {
        // Not smooth: that would render every row on the way.
        if (event.target !== event.currentTarget || !(event.key === "Home" || event.key === "End")) return;
        event.preventDefault();
        event.currentTarget.scrollTop = event.key === "Home" ? 0 : event.currentTarget.scrollHeight;
      }}
    >
      <div
        className="grid-body"
        role="rowgroup"
        ref={(element) => {
          element?.style.setProperty("--columns", `${template} 1fr`);
          element?.style.setProperty("height", `${list.getTotalSize() + ROW_PX}px`);
        }}
      >
        <div className="grid-row grid-head" role="row">
          {headings.map((heading) => (
            <span
              key={heading.column}
              role="columnheader"
              aria-sort={ariaSort(sorting, heading)}
              title={heading.dtype}
              className={headingClass(heading)}
            >
              {heading.sortName === undefined ? (
                <span className="unsorted">{heading.name}</span>
              ) : (
                <SortButton heading={heading} sorting={sorting} onSort={onSort} />
              )}
            </span>
          ))}
        </div>
        {visible.map(({ index, start: top }) => {
          const row = rows.get(start + index);
          return (
            <div
              key={index}
              className="grid-row"
              role="row"
              aria-rowindex={index + 2}
              ref={(element) => void element?.style.setProperty("transform", `translateY(${top + ROW_PX}px)`)}
            >
              {headings.map((heading) => {
                const { column, dtype } = heading;
                const isLabel = column < 0;
                const cell = isLabel ? row?.labels[-1 - column] : row?.cells[column];
                const text = row ? showCell(cell, dtype, language) : "";
                return (
                  <span
                    key={column}
                    role={isLabel ? "rowheader" : "cell"}
                    className={headingClass(heading)}
                    title={text.length > LONG_CHARACTERS ? text : undefined}
                  >
                    {text}
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Longer values may be cut, so they get a tooltip. */
const LONG_CHARACTERS = 30;

function headingClass({ column, isNumber }: { column: number; isNumber: boolean }): string {
  return column < 0 ? "row-label" : isNumber ? "number" : "";
}
