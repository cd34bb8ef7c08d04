import { showCell } from "./cell.ts";
import type { Heading } from "./headings.ts";
import type { Row } from "./rows.ts";

const NARROWEST = 7;
const WIDEST = 36;

/** Wide enough for the headings and the first rows, so that nothing jumps while scrolling. */
export function columnWidths(headings: readonly Heading[], rows: readonly Row[]): readonly string[] {
  const sample = rows.slice(0, 100);
  return headings.map(({ column, name, dtype }) => {
    const cells = sample.map((row) => (column < 0 ? row.labels[-1 - column] : row.cells[column]));
    const characters = Math.max(widthOf(name) + 2, ...cells.map((cell) => widthOf(showCell(cell, dtype))));
    return `${Math.min(WIDEST, Math.max(NARROWEST, characters + 3))}ch`;
  });
}

/** Chinese characters are twice as wide. */
function widthOf(text: string): number {
  let width = 0;
  for (const sign of text.slice(0, WIDEST)) width += /[\u2E80-\uFFEF]/.test(sign) ? 2 : 1;
  return width;
}
