/** What of threads is shown to whoever has a link. Any server reads it, whoever owns the thread. */
export interface ShareStore {
  /** Makes it, or puts it in the place of an earlier one with its id. Rejects with `not_found` without its thread. */
  put(share: ShareRecord): Promise<void>;
  get(shareId: string): Promise<ShareRecord | undefined>;
  /** The oldest first. */
  ofThread(threadId: string): Promise<readonly ShareRecord[]>;
  /** False when the thread has none with this id. With the thread they all go. */
  remove(threadId: string, shareId: string): Promise<boolean>;
}

export interface ShareRecord {
  readonly shareId: string;
  readonly threadId: string;
  /** What is shown: a blob of the thread. */
  readonly snapshot: string;
  /** Of the images and files in it. */
  readonly hashes: readonly string[];
  readonly createdAt: string;
  /** The moment that is shown. */
  readonly sharedAt: string;
}
