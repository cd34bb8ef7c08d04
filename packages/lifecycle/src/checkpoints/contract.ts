import type { LostVariable, TreeEntry, TreeRefusal } from "@atoll/sandbox";

/** What a thread's sandbox held at the end of one turn. */
export interface Checkpoint {
  /** Rising, never used twice in a thread. */
  readonly number: number;
  readonly turnId: string;
  readonly takenAt: string;
  /** Of the object with the files. */
  readonly manifest: string;
  readonly files: { readonly count: number; readonly bytes: number; readonly notKept: number };
  readonly variables: readonly KeptVariables[];
  /** Something went on writing while this was taken: files may be of slightly different moments. */
  readonly isExact: boolean;
}

/** A kernel's snapshot. */
export interface KeptVariables {
  readonly context: string;
  /** Of the object with the snapshot; absent when there is none, and why. */
  readonly hash?: string;
  readonly reason?: string;
  readonly saved: readonly string[];
  readonly lost: readonly LostVariable[];
}

export interface Manifest {
  readonly fingerprint: string;
  readonly entries: readonly KeptEntry[];
  readonly notKept: readonly TreeRefusal[];
}

export interface KeptEntry extends TreeEntry {
  /** SHA-256 of a file's content. */
  readonly hash?: string;
}
