import { AtollApiError, type AtollClient } from "@atoll/client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../app/client.tsx";
import { describeError } from "../../app/describe-error.ts";
import { useTexts } from "../../i18n/language.tsx";
import { type FolderState, listRows, sortEntries, type TreeEntry, type TreeRow } from "./tree-rows.ts";

export type ThreadFiles = ReturnType<AtollClient["threads"]["files"]>;

export interface Tree {
  readonly rows: readonly TreeRow[];
  /** Opens or closes a folder. */
  toggle(path: string): void;
  /** Reads every open folder again. Keeps them open and shown meanwhile. */
  refresh(): Promise<void>;
  /** False if a link leads to a file or nowhere. */
  openLink(path: string): Promise<boolean>;
}

/** The open folders of a thread's tree. Read again when `version` changes. */
export function useTree(threadId: string, roots: readonly TreeEntry[], version: number): Tree {
  const client = useClient();
  const texts = useTexts();
  const files = useMemo(() => client.threads.files(threadId), [client, threadId]);
  const [folders, setFolders] = useState<ReadonlyMap<string, FolderState>>(
    () => new Map(roots.map(({ path }) => [path, { isOpen: true }])),
  );
  const known = useRef(folders);
  known.current = folders;
  const looks = useRef(new Map<string, number>());

  const change = useCallback((path: string, changes: FolderState) => {
    setFolders((before) => new Map(before).set(path, changes));
  }, []);
  const look = useCallback(
    async (path: string) => {
      const number = (looks.current.get(path) ?? 0) + 1;
      looks.current.set(path, number);
      const found = await files.list(path).then(
        ({ files: entries }) => ({ entries: sortEntries(entries) }),
        (error: unknown) => ({ problem: describeError(error, texts) }),
      );
      const isOpen = known.current.get(path)?.isOpen ?? false;
      // Ignores a late reply to an older request.
      if (looks.current.get(path) === number) change(path, { ...found, isOpen });
    },
    [files, texts, change],
  );
  const refresh = useCallback(async () => {
    const open = [...known.current].filter(([, { isOpen }]) => isOpen);
    await Promise.all(open.map(([path]) => look(path)));
  }, [look]);
  useEffect(() => void refresh(), [refresh, version]);

  const toggle = (path: string) => {
    const before = folders.get(path);
    change(path, { ...before, isOpen: !before?.isOpen });
    if (!before?.isOpen) void look(path);
  };
  const openLink = async (path: string) => {
    try {
      await files.open(path, { range: { start: 0, end: 0 } });
      return false;
    } catch (error) {
      if (!(error instanceof AtollApiError && error.code === "not_a_file")) return false;
      change(path, { isOpen: true });
      await look(path);
      return true;
    }
  };
  return { rows: listRows(roots, folders), toggle, refresh, openLink };
}
