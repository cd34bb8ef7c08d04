export { iterateUntilAborted, rejectOnAbort, resolveOnAbort, settleWithin, sleep } from "./abort.ts";
export { KeyedMutex } from "./keyed-mutex.ts";
export { guessMime } from "./mime.ts";
export { Mutex } from "./mutex.ts";
export { Semaphore } from "./semaphore.ts";
