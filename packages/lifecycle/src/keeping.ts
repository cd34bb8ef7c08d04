/** For owners of single sandboxes without threads: a sandbox to rest, and its variables back. Loads no queue. */
export { restSandbox } from "./resting.ts";
export { recoverVariables } from "./waking.ts";
