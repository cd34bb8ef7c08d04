/** Threads that were removed and can be taken back for some days. Nobody owns them, and only the trash knows them. */
export interface TrashStore {
  /** The owner's to do; its followers end. False when there is no such thread. To end its run too: `Runner.trash`. */
  put(threadId: string): Promise<boolean>;
  has(threadId: string): Promise<boolean>;
  /** The latest first. */
  list(): Promise<readonly TrashedThread[]>;
  /** As it was, used just now. False when it is not in the trash. */
  restore(threadId: string): Promise<boolean>;
  /** For good, with its log. False when it is not in the trash. */
  purge(threadId: string): Promise<boolean>;
}

export interface TrashedThread {
  readonly id: string;
  readonly title: string | null;
  readonly messageCount: number;
  readonly createdAt: string;
  readonly trashedAt: string;
  /** By the clock that threads age by. */
  readonly inTrashMs: number;
}
