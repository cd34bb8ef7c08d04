export type * from "./contract.ts";
export type { Clock } from "./clock.ts";
export type { Checkpoint, KeptVariables } from "./checkpoints/contract.ts";
export { defaultPolicy, type LifecyclePolicy } from "./policy.ts";
export { type BullQueueOptions, openBullQueue } from "./queue/bull-queue.ts";
export type { Job, JobKind, JobListing, JobQueue, JobWork, QueueOptions } from "./queue/contract.ts";
export { createSqliteQueue, type SqliteQueueOptions } from "./queue/sqlite-queue.ts";
export { createThreadSandboxes, type ThreadSandboxesOptions } from "./thread-sandboxes.ts";
