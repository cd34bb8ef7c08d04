import { useEffect, useState } from "react";

/** Takes files that are dropped or pasted anywhere on the page. True while files are dragged over it. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      // Moving between elements is not leaving the page.
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    const events = { dragenter: over, dragover: over, dragleave: leave, drop, paste };
    for (const [name, listener] of Object.entries(events)) addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(events))
        removeEventListener(name, listener as EventListener);
    };
  }, [onFiles]);
  return isOver;
}
