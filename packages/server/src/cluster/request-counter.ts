import { type Redis, Script } from "./redis.ts";

const countScript = new Script(`
local key = ARGV[1]
local count = redis.call("INCR", key)
local endsInMs = redis.call("PTTL", key)
if count == 1 or endsInMs < 0 or endsInMs > tonumber(ARGV[2]) then
  redis.call("PEXPIRE", key, ARGV[2])
  endsInMs = tonumber(ARGV[2])
end
return { count, endsInMs }
`);

/** Counts a request for this key. Rejects when Redis is not reachable. */
export type SharedCounter = (
  key: string,
  windowMs: number,
) => Promise<{ readonly count: number; readonly endsInMs: number }>;

/** Counts the requests of all servers in the same windows. */
export function createRequestCounter(redis: Redis, prefix = "atoll:rate:"): SharedCounter {
  return async (key, windowMs) => {
    const [count, endsInMs] = (await countScript.run(redis, [prefix + key, windowMs])) as [number, number];
    return { count, endsInMs };
  };
}
