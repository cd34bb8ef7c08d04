import { type JobQueue, openBullQueue } from "@atoll/lifecycle";
import { connectRedis, type Redis } from "../cluster/redis.ts";
import { createRequestCounter, type SharedCounter } from "../cluster/request-counter.ts";

/** What stands on Redis. */
export interface SharedServices {
  readonly redis: Redis;
  /** Jobs for later; closed by whoever works them off. */
  readonly queue: JobQueue;
  /** Another one, apart from the first; closed in the same way. */
  openQueue(name: string): Promise<JobQueue>;
  readonly requestCounter: SharedCounter;
}

/** `secret`: of the installation; a job that was not written with it is not done. */
export async function connectShared(redisUrl: string, secret: Uint8Array): Promise<SharedServices> {
  const onProblem = (error: unknown) => console.error(`atoll: Redis: ${describeProblem(error)}`);
  const onBack = () => console.log("atoll: Redis is back");
  const redis = await connectRedis({ url: redisUrl, onProblem, onBack });
  try {
    // The connection above tells of an outage; a queue that tells of it too, and with every try, helps nobody.
    const openQueue = (name?: string) =>
      openBullQueue({
        redisUrl,
        secret,
        onProblem: ignoreOutage(onProblem),
        name,
      });
    const queue = await openQueue();
    return { redis, queue, openQueue, requestCounter: createRequestCounter(redis) };
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

function ignoreOutage(onProblem: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!/ECONN|ETIMEDOUT|EPIPE|Connection is closed|LOADING/.test(describeProblem(error))) onProblem(error);
  };
}

/** Without where in the program, which is of use for a defect only. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof TypeError || error instanceof RangeError) return error.stack ?? error.message;
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
