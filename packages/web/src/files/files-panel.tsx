import { Download, RefreshCw, Upload } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useClient } from "../app/client.tsx";
import type { PanelProps } from "../panels/side-panel.tsx";
import { useTexts } from "../i18n/language.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { saveUrl } from "../ui/save.ts";
import { countEnded } from "../thread/count-ended.ts";
import { FilePicker } from "./upload/file-picker.tsx";
import { FileTree } from "./tree/file-tree.tsx";
import { FileView } from "./view/file-view.tsx";
import type { TreeEntry } from "./tree/tree-rows.ts";
import { UploadList } from "./upload/upload-list.tsx";
import { useEntryActions } from "./tree/use-entry-actions.tsx";
import { useFolderUploads } from "./upload/use-folder-uploads.ts";
import { useTree } from "./tree/use-tree.ts";

const roots: readonly TreeEntry[] = ["/workspace", "/data", "/session/artifacts"].map((path) => ({
  path,
  name: path,
  kind: "folder",
  size_bytes: 0,
}));

/** The files of the thread's sandbox, as its programs see them. Updated after each answer. */
export default function FilesPanel({ threadId, conversation }: PanelProps) {
  const texts = useTexts();
  const client = useClient();
  const files = useMemo(() => client.threads.files(threadId), [client, threadId]);
  const picker = useRef<HTMLInputElement>(null);
  const [opened, open] = useState<string>();
  const version = countEnded(conversation);
  const tree = useTree(threadId, roots, version);
  const uploads = useFolderUploads(files, tree.refresh);
  const upload = (folder: string) => {
    uploads.aim(folder);
    picker.current?.click();
  };
  const actions = useEntryActions({ files, roots, onChanged: () => void tree.refresh(), onUpload: upload });
  const openEntry = async ({ path, kind }: TreeEntry) => {
    if (kind !== "symlink" || !(await tree.openLink(path))) open(path);
  };
  return (
    <>
      {opened === undefined ? null : (
        <FileView
          key={opened}
          threadId={threadId}
          path={opened}
          version={version}
          onClose={() => open(undefined)}
        />
      )}
      <div className="panel fill" hidden={opened !== undefined}>
        <div className="panel-bar">
          <button type="button" className="button small" onClick={() => upload("/workspace")}>
            <Upload size={14} aria-hidden /> {texts.uploadHere}
          </button>
          <button type="button" className="button small" onClick={() => saveUrl(files.zipUrl(), "files.zip")}>
            <Download size={14} aria-hidden /> {texts.downloadAll}
          </button>
          <span className="spread" />
          <IconButton
            icon={RefreshCw}
            size={14}
            label={texts.refresh}
            isSmall
            onClick={() => void tree.refresh()}
          />
          <FilePicker picker={picker} onPick={uploads.list.add} />
        </div>
        <UploadList uploads={uploads.list} />
        <FileTree
          rows={tree.rows}
          onToggle={tree.toggle}
          onOpen={(entry) => void openEntry(entry)}
          onRename={actions.rename}
          onRemove={actions.remove}
          actionsOf={actions.list}
        />
      </div>
    </>
  );
}
