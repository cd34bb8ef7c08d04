import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useTexts } from "../../i18n/language.tsx";
import type { MenuEntry } from "../../ui/menu.tsx";
import { FileRow } from "./file-row.tsx";
import type { TreeEntry, TreeRow } from "./tree-rows.ts";
import "./tree.css";

interface FileTreeProps {
  readonly rows: readonly TreeRow[];
  onToggle(path: string): void;
  onOpen(entry: TreeEntry): void;
  onRename(entry: TreeEntry): void;
  onRemove(entry: TreeEntry): void;
  actionsOf(entry: TreeEntry, isFolder: boolean): readonly MenuEntry[];
}

const ROW_PX = 32;
const TOUCH_ROW_PX = 42;

/** Files and folders, with the keys of a tree. Only rows near the viewport are rendered. */
export function FileTree({ rows, onToggle, onOpen, onRename, onRemove, actionsOf }: FileTreeProps) {
  const texts = useTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState("");
  const focused = useFocusedRow(scroller);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (matchMedia("(pointer: coarse)").matches ? TOUCH_ROW_PX : ROW_PX),
    getItemKey: (index) => pathOf(rows[index]) ?? index,
    overscan: 10,
  });
  const at = Math.max(
    0,
    rows.findIndex((row) => row.kind === "entry" && row.entry.path === chosen),
  );
  const moveTo = (index: number) => {
    const path = pathOf(rows[index]);
    if (path === undefined || rows[index]?.kind !== "entry") return;
    choose(path);
    list.scrollToIndex(index);
    focused.request(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row?.kind !== "entry" || !(event.target as HTMLElement).matches("[role=treeitem]")) return;
    const { entry, isFolder, isOpen, depth } = row;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(nextEntry(rows, at, 1)),
      ArrowUp: () => moveTo(nextEntry(rows, at, -1)),
      Home: () => moveTo(0),
      End: () => moveTo(nextEntry(rows, rows.length, -1)),
      ArrowRight: () => (isFolder && !isOpen ? onToggle(entry.path) : isFolder && moveTo(at + 1)),
      ArrowLeft: () => (isFolder && isOpen ? onToggle(entry.path) : moveTo(parentOf(rows, at, depth))),
      Enter: () => (isFolder ? onToggle(entry.path) : onOpen(entry)),
      " ": () => (isFolder ? onToggle(entry.path) : onOpen(entry)),
      F2: () => onRename(entry),
      Delete: () => onRemove(entry),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="tree" ref={scroller} role="tree" aria-label={texts.files} onKeyDown={onKeyDown}>
      <div
        className="tree-body"
        role="none"
        ref={(element) => void element?.style.setProperty("height", `${list.getTotalSize()}px`)}
      >
        {list.getVirtualItems().map(({ index, key, start, size }) => {
          const row = rows[index];
          return row ? (
            <FileRow
              key={key}
              row={row}
              top={start}
              height={size}
              isChosen={index === at}
              onChoose={() => choose(pathOf(row) ?? "")}
              onOpen={(entry) =>
                row.kind === "entry" && row.isFolder ? onToggle(entry.path) : onOpen(entry)
              }
              actionsOf={actionsOf}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

/** A row that scrolls into view cannot be focused before it is rendered. */
function useFocusedRow(scroller: RefObject<HTMLElement | null>) {
  const wanted = useRef<string>(undefined);
  const [, again] = useState({});
  useEffect(() => {
    if (wanted.current === undefined) return;
    const rows = scroller.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
    const row = [...rows].find(({ dataset }) => dataset["path"] === wanted.current);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  return {
    request(path: string) {
      wanted.current = path;
      again({});
    },
  };
}

function pathOf(row: TreeRow | undefined): string | undefined {
  if (!row) return undefined;
  return row.kind === "entry" ? row.entry.path : `${row.path}/`;
}

function nextEntry(rows: readonly TreeRow[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step)
    if (rows[at]?.kind === "entry") return at;
  return from;
}

function parentOf(rows: readonly TreeRow[], from: number, depth: number): number {
  for (let at = from - 1; at >= 0; at -= 1) if ((rows[at]?.depth ?? 0) < depth) return at;
  return from;
}
