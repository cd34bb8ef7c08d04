import { useCallback, useRef } from "react";
import { findFreeName } from "./free-name.ts";
import { postFile, type UploadProgress } from "./upload-file.ts";
import { type Uploads, useUploads } from "./use-uploads.ts";
import type { ThreadFiles } from "../tree/use-tree.ts";

/** Uploads into a folder of the sandbox. Existing files are not overwritten. */
export function useFolderUploads(
  files: ThreadFiles,
  onDone: () => Promise<void>,
): { readonly list: Uploads; aim(folder: string): void } {
  const folder = useRef("/workspace");
  const given = useRef(new Set<string>());
  const send = useCallback<UploadProgress>(
    async (file, onPercent) => {
      const target = folder.current;
      const { files: there } = await files.list(target);
      const name = findFreeName(file.name, new Set([...there.map((each) => each.name), ...given.current]));
      given.current.add(name);
      try {
        await postFile(files.uploadUrl(target), new File([file], name, { type: file.type }), onPercent);
      } finally {
        given.current.delete(name);
      }
      await onDone();
    },
    [files, onDone],
  );
  const list = useUploads(send);
  return { list, aim: (target) => (folder.current = target) };
}
