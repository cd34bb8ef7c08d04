export type * from "./contract.ts";
export { createThreadSandboxes, type ThreadSandboxesOptions } from "./thread-sandboxes.ts";
