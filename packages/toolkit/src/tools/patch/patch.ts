import { AtollError } from "@atoll/sandbox";

/** What a patch does to one file. */
export type FilePatch =
  | {
      readonly kind: "add";
      readonly path: string;
      readonly lines: readonly string[];
      readonly endsInNewline: boolean;
      readonly mode?: number;
    }
  | { readonly kind: "delete"; readonly path: string; readonly hunks: readonly Hunk[] }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
      readonly mode?: number;
    };

export interface Hunk {
  /** Lines that stand above it in the file, each below the one before: `@@ class A`, `@@ def f`. */
  readonly anchors: readonly string[];
  /** Where a unified diff says that its first line is, counted from 1: a hint, since models miscount. */
  readonly line?: number;
  readonly lines: readonly HunkLine[];
  /** Its last line is the last of the file. */
  readonly isAtEnd: boolean;
  /** Whether the file's last line ends in a newline afterwards. Absent: as before. */
  readonly endsInNewline?: boolean;
}

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
}

/** The patch cannot be read, or does not fit. Nothing was changed. */
export function misfit(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}

export function readHunkLine(line: string): HunkLine | undefined {
  const kind = ({ " ": "context", "-": "removed", "+": "added" } as const)[line[0] ?? " "];
  return kind && { kind, text: line.slice(1) };
}
