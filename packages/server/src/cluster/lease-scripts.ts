import { Script } from "./redis.ts";

/*
 * Keys, all with the prefix that is the first argument:
 *
 *     servers           set of server ids, also of those that died and are not removed yet
 *     server:<id>       a server's record; ends with its heartbeat
 *     lease:<key>       id of the server that has it; good for as long as that server lives
 *     held:<id>         set of the keys that a server has
 *     since             when Redis began to be used: an emptied one has none, or a new one
 */

const common = `
local prefix = ARGV[1]
local function lives(id) return redis.call("EXISTS", prefix .. "server:" .. id) == 1 end
local function ownerOf(key) return redis.call("GET", prefix .. "lease:" .. key) end
local function give(key, id, before)
  redis.call("SET", prefix .. "lease:" .. key, id)
  redis.call("SADD", prefix .. "held:" .. id, key)
  if before and before ~= id then redis.call("SREM", prefix .. "held:" .. before, key) end
end
local function release(key, id)
  if ownerOf(key) == id then redis.call("DEL", prefix .. "lease:" .. key) end
  redis.call("SREM", prefix .. "held:" .. id, key)
end
local function forget(id)
  for _, key in ipairs(redis.call("SMEMBERS", prefix .. "held:" .. id)) do release(key, id) end
  redis.call("DEL", prefix .. "held:" .. id, prefix .. "server:" .. id)
  redis.call("SREM", prefix .. "servers", id)
end
local function nowMs()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

function script(body: string): Script {
  return new Script(common + body);
}

/** id, record, ttlMs → whether it was known, how many leases it has, ids of living servers, ids of dead ones. */
export const beatScript = script(`
local id = ARGV[2]
local wasKnown = lives(id) and 1 or 0
redis.call("SET", prefix .. "server:" .. id, ARGV[3], "PX", ARGV[4])
redis.call("SADD", prefix .. "servers", id)
redis.call("SETNX", prefix .. "since", nowMs())
local living, dead = {}, {}
for _, other in ipairs(redis.call("SMEMBERS", prefix .. "servers")) do
  local list = lives(other) and living or dead
  list[#list + 1] = other
end
return { wasKnown, redis.call("SCARD", prefix .. "held:" .. id), living, dead }
`);

/** id, key, settleMs → {"mine"} | {"theirs", record} | {"settling", waitMs} | {"unregistered"}. */
export const acquireScript = script(`
local id, key = ARGV[2], ARGV[3]
if not lives(id) then return { "unregistered" } end
local owner = ownerOf(key)
if owner and owner ~= id and lives(owner) then
  return { "theirs", redis.call("GET", prefix .. "server:" .. owner) }
end
if not owner then
  local since = tonumber(redis.call("GET", prefix .. "since") or "")
  if not since or since > nowMs() then
    since = nowMs()
    redis.call("SET", prefix .. "since", since)
  end
  local waitMs = since + ARGV[4] - nowMs()
  if waitMs > 0 then return { "settling", waitMs } end
end
give(key, id, owner)
return { "mine" }
`);

/** id, keys… → those that another living server has. */
export const reclaimScript = script(`
local id = ARGV[2]
local lost = {}
for index = 3, #ARGV do
  local key = ARGV[index]
  local owner = ownerOf(key)
  if owner and owner ~= id and lives(owner) then
    lost[#lost + 1] = key
  else
    give(key, id, owner)
  end
end
return lost
`);

/** key → the record of the living server that has it, or nothing. */
export const locateScript = script(`
local owner = ownerOf(ARGV[2])
return owner and redis.call("GET", prefix .. "server:" .. owner)
`);

/** id, key. */
export const releaseScript = script(`release(ARGV[3], ARGV[2])`);

/** id: with all its leases. */
export const leaveScript = script(`forget(ARGV[2])`);

/** id → 1 when it was dead and is removed now. */
export const forgetScript = script(`
if lives(ARGV[2]) then return 0 end
forget(ARGV[2])
return 1
`);
