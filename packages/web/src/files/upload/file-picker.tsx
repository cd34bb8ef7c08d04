import type { RefObject } from "react";

/** The browser's own choice of files, opened by a click on it from elsewhere. */
export function FilePicker({ picker, onPick }: FilePickerProps) {
  return (
    <input
      ref={picker}
      type="file"
      multiple
      hidden
      onChange={(event) => {
        onPick([...(event.target.files ?? [])]);
        // The same file may be chosen again.
        event.target.value = "";
      }}
    />
  );
}

interface FilePickerProps {
  readonly picker: RefObject<HTMLInputElement | null>;
  onPick(files: File[]): void;
}
