import { ChevronRight, CornerDownRight, Ellipsis, File, FolderClosed, FolderOpen } from "lucide-react";
import { useTexts } from "../../i18n/language.tsx";
import { useFormat } from "../../ui/format.ts";
import { Menu, type MenuEntry } from "../../ui/menu.tsx";
import { iconOfFile } from "../file-icon.ts";
import type { TreeEntry, TreeRow } from "./tree-rows.ts";
import { showName } from "../visible-name.ts";

interface FileRowProps {
  readonly row: TreeRow;
  readonly top: number;
  readonly height: number;
  readonly isChosen: boolean;
  onChoose(): void;
  onOpen(entry: TreeEntry): void;
  actionsOf(entry: TreeEntry, isFolder: boolean): readonly MenuEntry[];
}

const INDENT_REM = 1.1;

export function FileRow({ row, top, height, isChosen, onChoose, onOpen, actionsOf }: FileRowProps) {
  const texts = useTexts();
  const format = useFormat();
  const place = (element: HTMLElement | null) => {
    if (!element) return;
    // Not a transform: that would make the row the containing block of its fixed menu.
    element.style.top = `${top}px`;
    element.style.height = `${height}px`;
    element.style.paddingInlineStart = `${0.2 + row.depth * INDENT_REM}rem`;
  };
  if (row.kind === "note") {
    return (
      <div className="tree-row tree-note quiet small-text ellipsis" ref={place} title={row.problem}>
        {row.problem ?? texts.emptyFolder}
      </div>
    );
  }
  const { entry, depth, isFolder, isOpen, position, siblings } = row;
  const { path, kind, size_bytes: size, link_target: target } = entry;
  const name = showName(entry.name);
  const Icon = isFolder ? (isOpen ? FolderOpen : FolderClosed) : kind === "other" ? File : iconOfFile(path);
  const linkTarget = kind === "symlink" && target !== undefined ? showName(target) : undefined;
  const detail = kind === "file" ? format.bytes(size) : rootNote(path, texts);
  return (
    <div
      className="tree-row"
      ref={place}
      role="treeitem"
      aria-level={depth + 1}
      aria-setsize={siblings}
      aria-posinset={position}
      // Reads out what is shown, without the menu.
      aria-label={[name, linkTarget, detail].filter((part) => part !== undefined).join(" ")}
      {...(isFolder ? { "aria-expanded": isOpen } : {})}
      data-path={path}
      tabIndex={isChosen ? 0 : -1}
      title={showName(path)}
      onFocus={onChoose}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest(".menu-root")) return;
        event.currentTarget.focus();
        onOpen(entry);
      }}
    >
      <ChevronRight size={14} aria-hidden className={isFolder ? (isOpen ? "turned" : "") : "absent"} />
      <Icon size={15} aria-hidden className="tree-icon" />
      <span className="ellipsis tree-name">{name}</span>{" "}
      {linkTarget === undefined ? null : (
        <span className="quiet small-text ellipsis">
          <CornerDownRight size={12} aria-hidden /> {linkTarget}
        </span>
      )}{" "}
      <span className="quiet small-text ellipsis tree-size">{detail}</span>
      <Menu
        isSmall
        label={texts.actionsFor(name)}
        icon={<Ellipsis size={15} aria-hidden />}
        entries={actionsOf(entry, isFolder)}
      />
    </div>
  );
}

function rootNote(path: string, texts: ReturnType<typeof useTexts>): string | undefined {
  const notes: Readonly<Record<string, string>> = {
    "/workspace": texts.workspaceNote,
    "/data": texts.dataNote,
    "/session/artifacts": texts.artifactsNote,
  };
  return notes[path];
}
