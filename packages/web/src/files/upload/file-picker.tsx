import type { RefObject } from "react";

/** A hidden file input. Call `click()` on it to open the browser's file chooser. */
export function FilePicker({ picker, onPick }: FilePickerProps) {
  return (
    <input
      ref={picker}
      type="file"
      multiple
      hidden
      onChange={(event) => {
        onPick([...(event.target.files ?? [])]);
        // Allows choosing the same file again.
        event.target.value = "";
      }}
    />
  );
}

interface FilePickerProps {
  readonly picker: RefObject<HTMLInputElement | null>;
  onPick(files: File[]): void;
}
