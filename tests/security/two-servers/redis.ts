import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AtollClient } from "@atoll/client";
import { openBullQueue } from "@atoll/lifecycle";
import { expect, it, onTestFinished } from "vitest";
import type { TwoServers } from "./bench.ts";

/** What an attacker gets who reads and writes Redis, and is reached by the servers at an address of its own. */
export function describeRedis(servers: () => TwoServers): void {
  const redis = (...command: readonly string[]) => servers().redis(...command);
  const ask = (target: string, headers = servers().authorized) =>
    fetch(servers().second.url + target, { headers, redirect: "manual" });
  const status = () => `/thread/${servers().owned.threadId}/status`;
  const leaseKey = () => `atoll:lease:thread:${servers().owned.threadId}`;
  const isHealed = async () => {
    await expect.poll(async () => (await ask(status())).status).toBe(200);
  };

  const isLost = async (target: string, seen: readonly string[]) =>
    (await ask(target)).status !== 200 || seen.length > 0;

  it("reads no token, secret or content there", () => {
    const { token, owned } = servers();
    const all = redis("--scan")
      .split("\n")
      .flatMap((key) => {
        const kind = redis("TYPE", key);
        const read = { string: ["GET"], set: ["SMEMBERS"], hash: ["HGETALL"], zset: ["ZRANGE"] }[kind];
        return read ? [key, redis(...read, key, ...(kind === "zset" ? ["0", "-1"] : []))] : [key];
      })
      .join("\n");
    expect(all).toContain(owned.threadId);
    for (const secret of [token, "a secret title", "hello", "All done."]) expect(all).not.toContain(secret);
  });

  it("is sent no request and no credential by a record and a lease that it wrote", async () => {
    const { owned, token } = servers();
    const { url, seen } = await listen();
    const owner = redis("GET", leaseKey());
    const genuine = redis("GET", `atoll:server:${owner}`);
    const forgeries: Record<string, string> = {
      plain: JSON.stringify({ id: "evil", url, machine: "x", startedAt: new Date().toISOString() }),
      changed: JSON.stringify({ ...(JSON.parse(genuine) as object), id: "evil", url }),
      "with the address of the owner": JSON.stringify({ ...(JSON.parse(genuine) as object), url }),
      junk: "{",
      empty: "",
    };
    for (const [name, record] of Object.entries(forgeries)) {
      redis("SET", "atoll:server:evil", record, "PX", "600000");
      redis("SADD", "atoll:servers", "evil");
      redis("SET", leaseKey(), "evil");
      redis("SET", `atoll:lease:sandbox:${owned.sandboxId}`, "evil");
      const targets = [
        status(),
        `/sandboxes/${owned.sandboxId}`,
        `/preview/${owned.sandboxId}/${owned.previewPort}/`,
      ];
      // What the server remembers of the owner is good for five seconds.
      for (const target of targets) await expect.poll(() => isLost(target, seen)).toBe(true);
      expect(seen).toEqual([]);
      const headers = { authorization: `Bearer ${token}`, cookie: "atoll_session=x" };
      const answers = await Promise.all(targets.map((target) => ask(target, headers)));
      for (const answer of answers) {
        expect([name, answer.status]).toEqual([name, 503]);
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect(answer.headers.get("content-type")).toContain("application/json");
        expect(await answer.text()).not.toContain("evil");
      }
    }
    expect(seen).toEqual([]);
    redis("DEL", "atoll:server:evil");
    redis("SREM", "atoll:servers", "evil");
    redis("SET", leaseKey(), owner);
    redis("SET", `atoll:lease:sandbox:${owned.sandboxId}`, owner);
    await isHealed();
  });

  it("leads no request to itself by changing a record of a server", async () => {
    const { url, seen } = await listen();
    const owner = redis("GET", leaseKey());
    const genuine = JSON.parse(redis("GET", `atoll:server:${owner}`)) as object;
    const forged = JSON.stringify({ ...genuine, url });
    // Again and again, since the owner's next heartbeat puts it right.
    const forge = () => redis("SET", `atoll:server:${owner}`, forged, "PX", "60000");
    await expect.poll(() => (forge(), isLost(status(), seen))).toBe(true);
    await isHealed();
    expect(seen).toEqual([]);
  });

  it("locks no valid token out, whatever it counts", async () => {
    const { second, authorized } = servers();
    const login = await fetch(`${second.url}/login`, { method: "POST", headers: authorized });
    const cookie = (login.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
    const keys = ["token", "127.0.0.1", "::1", "in-process", "::ffff:127.0.0.1"].map(
      (key) => `atoll:rate:${key}`,
    );
    const forgeries: readonly (readonly string[])[] = [
      ["SET", "9007199254740993000"],
      ["SET", "9999999999"],
      ["SET", "NaN"],
      ["SET", "-9223372036854775808"],
      ["LPUSH", "x"],
      ["SADD", "x"],
    ];
    for (const [command = "", value = ""] of forgeries) {
      for (const key of keys) {
        redis("DEL", key);
        redis(command, key, value);
        if (command === "SET") redis("PEXPIRE", key, "99999999999");
      }
      const given = [authorized, { cookie }];
      for (const headers of given)
        expect([value, (await ask("/settings", headers as typeof authorized)).status]).toEqual([value, 200]);
      expect([401, 429]).toContain((await ask("/settings", {} as typeof authorized)).status);
    }
    for (const key of keys) redis("DEL", key);
  });

  it("ends and removes nothing with jobs that it wrote", async () => {
    const { installation, owned, first, token } = servers();
    const client = new AtollClient({ baseUrl: first.url, token });
    const { sandbox_id: victim } = await client.sandboxes.create();
    await client.sandboxes.runPython(victim, "x = 41");
    const queue = await openBullQueue({ redisUrl: installation.redis.url });
    onTestFinished(() => queue.close());
    const ids = [victim, owned.sandboxId, owned.threadId, "../../etc", "", {}, null, 7] as string[];
    const kinds = ["terminate", "delete", "evict", "pause", "constructor", "__proto__"] as const;
    for (const sandboxId of ids)
      for (const kind of kinds)
        await queue.schedule({ sandboxId, kind: kind as "evict", dueAtMs: Date.now() }).catch(() => {});
    const isLeft = () =>
      Number(redis("LLEN", "bull:atoll-lifecycle:wait")) +
      Number(redis("LLEN", "bull:atoll-lifecycle:active"));
    await expect.poll(isLeft).toBe(0);
    expect((await client.sandboxes.runPython(victim, "print(x + 1)")).stdout).toBe("42\n");
    expect((await ask(status())).status).toBe(200);
    const { jobs } = (await (await ask("/operator/jobs")).json()) as { jobs: { thread_id: string }[] };
    expect(jobs.map(({ thread_id }) => thread_id)).not.toContain(victim);
    await client.sandboxes.remove(victim);
  });

  it("ends no server with keys of a wrong type or value, and what the servers have goes on", async () => {
    const { first, second, owned, authorized } = servers();
    const owner = redis("GET", leaseKey());
    const lease = `atoll:lease:thread:${owned.threadId}`;
    const changes: readonly (readonly string[])[] = [
      ["SET", "atoll:since", "99999999999999"],
      ["SET", "atoll:since", "NaN"],
      ["LPUSH", "atoll:since", "x"],
      ["SET", "atoll:servers", "x"],
      ["SET", `atoll:held:${owner}`, "x"],
      ["LPUSH", `atoll:server:${owner}`, "x"],
      ["LPUSH", lease, "x"],
    ];
    for (const [command = "", key = "", value = ""] of changes) {
      redis("DEL", key);
      redis(command, key, value);
      const held = await fetch(`${first.url}/thread/${owned.threadId}/status`, { headers: authorized });
      expect([key, held.status]).toEqual([key, 200]);
      const other = await ask(`/sandboxes/${owned.sandboxId}`);
      expect([200, 503], key).toContain(other.status);
      for (const { url } of [first, second]) expect((await fetch(`${url}/healthz`)).status).toBe(200);
      redis("DEL", key);
    }
    // Each server says again what it has.
    await isHealed();
    for (const { child } of [first, second]) expect(child.exitCode).toBeNull();
  });
}

/** What the attacker listens with: an answer that would run in a browser, with a cookie. */
async function listen(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    seen.push(JSON.stringify({ method, url, headers }));
  const server: Server = createServer((request, response) => {
    note(request);
    response.setHeader("set-cookie", "evil=1");
    response.setHeader("content-type", "text/html");
    response.end("<script>evil</script>");
  });
  server.on("upgrade", (request, socket) => {
    note(request);
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
