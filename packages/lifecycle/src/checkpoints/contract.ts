import type { LostVariable, TreeEntry, TreeRefusal } from "@atoll/sandbox";

/** What a thread's sandbox held at the end of one turn. */
export interface Checkpoint {
  /** Rises, and is never used twice in a thread. */
  readonly number: number;
  readonly turnId: string;
  readonly takenAt: string;
  /** The hash of the manifest. */
  readonly manifest: string;
  readonly files: { readonly count: number; readonly bytes: number; readonly notKept: number };
  readonly variables: readonly StoredVariables[];
  /** False: something was writing while it was taken, so that files may be of slightly different moments. */
  readonly isExact: boolean;
}

/** The snapshot of one kernel. */
export interface StoredVariables {
  readonly context: string;
  /** The hash of the snapshot. Undefined if there is none; `reason` says why. */
  readonly hash?: string;
  readonly reason?: string;
  readonly saved: readonly string[];
  readonly lost: readonly LostVariable[];
}

/** The files of a checkpoint. */
export interface Manifest {
  readonly fingerprint: string;
  readonly entries: readonly StoredEntry[];
  readonly notKept: readonly TreeRefusal[];
}

export interface StoredEntry extends TreeEntry {
  /** SHA-256 of a file's content. */
  readonly hash?: string;
}
