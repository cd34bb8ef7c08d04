import { Download, FileArchive, Pencil, Trash2, Upload } from "lucide-react";
import { useAsk } from "../../app/questions.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { useTexts } from "../../i18n/language.tsx";
import type { MenuEntry } from "../../ui/menu.tsx";
import { saveUrl } from "../../ui/save.ts";
import { showName } from "../visible-name.ts";
import type { TreeEntry } from "./tree-rows.ts";
import type { ThreadFiles } from "./use-tree.ts";

interface EntryActions {
  /** The actions on an entry, destructive ones last. */
  list(entry: TreeEntry, isFolder: boolean): readonly MenuEntry[];
  rename(entry: TreeEntry): void;
  remove(entry: TreeEntry): void;
}

interface Given {
  readonly files: ThreadFiles;
  /** The sandbox's own top-level folders. */
  readonly roots: readonly TreeEntry[];
  onChanged(): void;
  onUpload(folder: string): void;
}

export function useEntryActions({ files, roots, onChanged, onUpload }: Given): EntryActions {
  const texts = useTexts();
  const { attempt, show } = useToasts();
  const ask = useAsk();
  const isRoot = ({ path }: TreeEntry) => roots.some((root) => root.path === path);
  const canMove = (entry: TreeEntry) => !isRoot(entry) && canWrite(entry.path);

  const rename = async (entry: TreeEntry) => {
    const { path, name } = entry;
    if (!canMove(entry)) return;
    const wanted = await ask({ title: texts.renameFile(showName(name)), text: name, action: texts.rename });
    if (!wanted || wanted === name) return;
    const target = wanted.startsWith("/") ? wanted : `${path.slice(0, -name.length)}${wanted}`;
    if (await attempt(files.move(path, target))) onChanged();
  };
  const remove = async (entry: TreeEntry) => {
    if (!canMove(entry)) return;
    const putBack = await attempt(moveToTrash(files, entry.path));
    if (!putBack) return;
    onChanged();
    const undo = async () => {
      if (await attempt(putBack())) onChanged();
    };
    const action = { label: texts.undo, run: () => void undo() };
    show(`${showName(entry.name)}: ${texts.removed}`, { action, shownMs: 12_000 });
  };
  const list = (entry: TreeEntry, isFolder: boolean): MenuEntry[] => {
    const { path, name } = entry;
    const save: MenuEntry = isFolder
      ? {
          label: texts.downloadZip,
          icon: <FileArchive size={15} aria-hidden />,
          run: () => saveUrl(files.zipUrl(path), `${name.slice(name.lastIndexOf("/") + 1)}.zip`),
        }
      : {
          label: texts.download,
          icon: <Download size={15} aria-hidden />,
          run: () => saveUrl(files.url(path), name),
        };
    const upload = {
      label: texts.uploadIntoFolder,
      icon: <Upload size={15} aria-hidden />,
      run: () => onUpload(path),
    };
    const changes = [
      { label: texts.rename, icon: <Pencil size={15} aria-hidden />, run: () => void rename(entry) },
      {
        label: texts.remove,
        icon: <Trash2 size={15} aria-hidden />,
        isDangerous: true,
        run: () => void remove(entry),
      },
    ];
    return [save, ...(isFolder && canWrite(path) ? [upload] : []), ...(canMove(entry) ? changes : [])];
  };
  return { list, rename: (entry) => void rename(entry), remove: (entry) => void remove(entry) };
}

/** Uploaded data is read-only. */
export function canWrite(path: string): boolean {
  return !/^\/data(\/|$)/.test(path) || /^\/data\/outputs(\/|$)/.test(path);
}

const TRASH = "/session/.trash";
/** Time to undo a deletion. */
const KEPT_MS = 10 * 60_000;

/** Moves a file out of sight. The returned function restores it; old trash is deleted for good. */
async function moveToTrash(files: ThreadFiles, path: string): Promise<() => Promise<unknown>> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const place = `${TRASH}/${Date.now()}/${name}`;
  await files.move(path, place);
  void emptyOld(files);
  return () => files.move(place, path);
}

async function emptyOld(files: ThreadFiles): Promise<void> {
  try {
    const { files: found } = await files.list(TRASH);
    const old = found.filter(({ name }) => Number(name) < Date.now() - KEPT_MS);
    for (const { path } of old) await files.remove(path);
  } catch {
    // The next deletion tries again.
  }
}
