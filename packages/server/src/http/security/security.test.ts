import { BlockList } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { artifactsSchema, sandboxParams } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";
import { RateLimit } from "./rate-limit.ts";

const token = "a-token-of-sufficient-length";

test.each([
  ["localhost", 200],
  ["localhost:8000", 200],
  ["127.0.0.1:1234", 200],
  ["[::1]:8000", 200],
  ["LOCALHOST:8000", 200],
  ["evil.example", 403],
  ["localhost.evil.example", 403],
  ["127.0.0.1.nip.io:8000", 403],
  ["10.0.0.5:8000", 403],
])("on loopback the Host %s is answered with %i", async (host, status) => {
  const { ask } = await makeTestServer(onTestFinished);
  expect((await ask("/threads", { headers: { host } })).status).toBe(status);
});

test.each([
  ["no Origin", {}, 200],
  ["its own Origin", { origin: "http://localhost:8000" }, 200],
  ["a foreign Origin", { origin: "http://evil.example" }, 403],
  ["the Origin null", { origin: "null" }, 403],
  ["another port", { origin: "http://localhost:9000" }, 403],
  ["another name of loopback", { origin: "http://127.0.0.1:8000" }, 403],
  ["an Origin with the right host as a user name", { origin: "http://localhost:8000@evil.example" }, 403],
  ["a cross-site fetch without an Origin", { "sec-fetch-site": "cross-site" }, 403],
  ["a same-origin fetch", { "sec-fetch-site": "same-origin", origin: "http://localhost:8000" }, 200],
])("a request that changes something, with %s, is answered with %s %i", async (_name, headers, status) => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const init = { method: "POST", headers: { host: "localhost:8000", ...headers } };
  expect((await ask(`/thread/${await newThread()}/stop`, init)).status).toBe(status);
});

test("a link on another site may lead here, but its page may not read", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  const cross = { "sec-fetch-site": "cross-site" };
  expect((await ask("/docs", { headers: { ...cross, "sec-fetch-mode": "navigate" } })).status).toBe(200);
  expect((await ask("/threads", { headers: { ...cross, "sec-fetch-mode": "no-cors" } })).status).toBe(403);
  expect(
    (await ask("/threads", { method: "POST", headers: { ...cross, "sec-fetch-mode": "navigate" } })).status,
  ).toBe(403);
});

test("with a token, only who has it is answered, under any Host", async () => {
  const { ask } = await makeTestServer(onTestFinished, { config: { isLoopback: false, token } });
  const from = (headers: Record<string, string>) =>
    ask("/threads", { headers: { host: "atoll.example", ...headers } });
  expect((await from({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await from({ authorization: `bearer ${token}` })).status).toBe(200);
  for (const authorization of [
    "",
    "Bearer",
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    `Bearer  ${token}`,
  ]) {
    const response = await from(authorization ? { authorization } : {});
    expect([response.status, response.headers.get("www-authenticate")], authorization).toEqual([
      401,
      'Bearer realm="atoll"',
    ]);
  }
  const foreign = await from({ authorization: `Bearer ${token}`, origin: "http://evil.example" });
  expect(foreign.status).toBe(403);
  for (const path of ["/healthz", "/readyz"]) expect((await ask(path)).status, path).toBe(200);
  for (const path of ["/", "/docs", "/openapi.json", "/metrics", "/settings", "/nowhere"]) {
    expect((await ask(path)).status, path).toBe(401);
  }
  // The page, which holds nothing of anybody's: one logs in there, or reads a shared link. (This server has no pages.)
  for (const path of ["/ui", "/ui/shared", "/ui/assets/x.js"])
    expect((await ask(path)).status, path).toBe(404);
  for (const path of ["/ui/sharedx", "/ui/index.html", "/shared"])
    expect((await ask(path)).status, path).toBe(401);
});

test("guesses of the token, the cookie and a login code meet 429, while the right token still opens", async () => {
  const { ask } = await makeTestServer(onTestFinished, { config: { isLoopback: false, token } });
  const statuses: number[] = [];
  for (let guess = 0; guess < 1500; guess += 1) {
    const credential =
      guess % 2 === 0 ? { authorization: `Bearer g${guess}` } : { cookie: `atoll_session=${guess}` };
    const response =
      guess % 3 === 0 ? await ask(`/login?code=${guess}`) : await ask("/threads", { headers: credential });
    statuses.push(response.status);
  }
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1400);
  expect((await ask("/threads", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await ask("/threads")).status).toBe(401);
});

test("a token that is set on loopback is demanded there too", async () => {
  const { ask } = await makeTestServer(onTestFinished, { config: { token } });
  expect((await ask("/threads")).status).toBe(401);
});

test("a login link works once and gives a cookie that pages cannot read", async () => {
  const { app, ask } = await makeTestServer(onTestFinished, { config: { isLoopback: false, token } });
  const link = app.makeLoginPath();
  const response = await ask(link);
  expect(response.status).toBe(200);
  const cookie = response.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^atoll_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  expect(cookie).not.toContain(token);
  const session = cookie.split(";")[0] ?? "";
  expect((await ask("/threads", { headers: { cookie: session } })).status).toBe(200);
  expect((await ask("/threads", { headers: { cookie: `${session}x` } })).status).toBe(401);
  expect((await ask(link)).status).toBe(403);
  expect((await ask("/login?code=guess")).status).toBe(403);
  const browser = await ask("/login?code=guess", { headers: { accept: "text/html" }, redirect: "manual" });
  expect([browser.status, browser.headers.get("location")]).toEqual([302, "/ui"]);
  expect(browser.headers.get("set-cookie")).toBeNull();
});

test("the token itself is traded for the same cookie, and nothing else is", async () => {
  const { ask } = await makeTestServer(onTestFinished, { config: { isLoopback: false, token } });
  const logIn = (headers: Record<string, string>) => ask("/login", { method: "POST", headers });
  const cookie = (await logIn({ authorization: `Bearer ${token}` })).headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^atoll_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  const session = cookie.split(";")[0] ?? "";
  expect((await ask("/threads", { headers: { cookie: session } })).status).toBe(200);
  for (const authorization of [undefined, "Bearer guess", `Basic ${token}`]) {
    const refused = await logIn(authorization === undefined ? {} : { authorization });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([401, null]);
  }
});

test("a cookie does not open a server with another token", async () => {
  const first = await makeTestServer(onTestFinished, { config: { token } });
  const { signingKey } = first.config;
  const second = await makeTestServer(onTestFinished, { config: { token: `${token}-new`, signingKey } });
  const cookie = (await first.ask(first.app.makeLoginPath())).headers.get("set-cookie")?.split(";")[0] ?? "";
  expect((await first.ask("/threads", { headers: { cookie } })).status).toBe(200);
  expect((await second.ask("/threads", { headers: { cookie } })).status).toBe(401);
});

test("a signed address opens one content under one name until it expires, and nothing else", async () => {
  const { ask, newThread, store } = await makeTestServer(onTestFinished, { config: { token } });
  const [id, other] = [await newThread(), await newThread()];
  const hash = store.blobs.put(id, Buffer.from("a,b\n"));
  store.blobs.put(other, Buffer.from("a,b\n"));
  const url = `/thread/${id}/blobs/${hash}`;
  const event = {
    type: "artifact",
    call_id: "c",
    path: "/workspace/ä b.csv",
    size_bytes: 4,
    hash,
    mime: "text/csv",
    change: "new",
    url,
  } as const;
  await store.log.append(id, [{ event }]);
  const list = await readAs(
    artifactsSchema,
    ask(`/thread/${id}/artifacts?ttl_s=60`, { headers: { authorization: `Bearer ${token}` } }),
  );
  const signed = list.artifacts[0]?.signed_url ?? "";
  const response = await ask(signed);
  expect([response.status, await response.text()]).toEqual([200, "a,b\n"]);
  expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''%C3%A4%20b.csv");

  const changed = new URL(signed, "http://localhost");
  const variants = {
    name: signed.replace("name=", "name=x"),
    expiry: signed.replace(/expires=\d+/, `expires=${changed.searchParams.get("expires")}9`),
    signature: `${signed.slice(0, -1)}${signed.endsWith("A") ? "B" : "A"}`,
    thread: signed.replace(id, other),
    none: url,
    empty: `${url}?signature=`,
  };
  for (const [what, address] of Object.entries(variants)) {
    expect([401, 403], what).toContain((await ask(address)).status);
  }
  expect((await ask(signed.replace("/blobs/", "/artifacts/"))).status).toBe(401);
  expect(
    (await ask(`/thread/${id}/artifacts?ttl_s=86401`, { headers: { authorization: `Bearer ${token}` } }))
      .status,
  ).toBe(400);
});

test("an expired signature is refused", async () => {
  const { signBlobUrl, isBlobSignatureValid } = await import("./signed-urls.ts");
  const key = Buffer.alloc(32, 7);
  const blob = { threadId: "t", hash: "a".repeat(64), name: "x", expires: Math.floor(Date.now() / 1000) - 1 };
  const signature = new URL(signBlobUrl(blob, key), "http://x").searchParams.get("signature") ?? "";
  expect(isBlobSignatureValid(blob, signature, key)).toBe(false);
  const later = { ...blob, expires: blob.expires + 100 };
  const good = new URL(signBlobUrl(later, key), "http://x").searchParams.get("signature") ?? "";
  expect(isBlobSignatureValid(later, good, key)).toBe(true);
});

test("who asks too often is told when to come back; health is always answered", async () => {
  const { ask } = await makeTestServer(onTestFinished, {
    config: { rateLimit: { windowMs: 60_000, max: 2 } },
  });
  expect([(await ask("/threads")).status, (await ask("/nowhere")).status]).toEqual([200, 404]);
  const refused = await ask("/threads");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("/healthz")).status).toBe(200);
});

test("guesses at the token are counted by address, not against who has it", async () => {
  const { ask } = await makeTestServer(onTestFinished, {
    config: { token, rateLimit: { windowMs: 60_000, max: 2 } },
  });
  const guess = () => ask("/threads", { headers: { authorization: "Bearer wrong-wrong-wrong-wrong" } });
  expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 429]);
  expect((await ask("/threads", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
});

test("a window that has ended counts anew, and old ones make room", () => {
  const limit = new RateLimit({ windowMs: 1000, max: 1 });
  expect([limit.take("a", 0), limit.take("a", 1), limit.take("a", 1000)]).toEqual([0, 999, 0]);
});

test("X-Forwarded-For is believed only from proxies that are trusted", async () => {
  const { findClientAddress } = await import("./client-address.ts");
  const proxies = new BlockList();
  proxies.addSubnet("10.0.0.0", 8);
  const address = (socket: string, forwarded?: string) =>
    findClientAddress(
      {
        env: { incoming: { socket: { remoteAddress: socket } } },
        req: { header: () => forwarded },
      } as never,
      proxies,
    );
  expect(address("203.0.113.9", "1.2.3.4")).toBe("203.0.113.9");
  expect(address("10.0.0.1", "1.2.3.4")).toBe("1.2.3.4");
  expect(address("::ffff:10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2")).toBe("1.2.3.4");
  expect(address("10.0.0.1", "not an address")).toBe("10.0.0.1");
  expect(address("10.0.0.1")).toBe("10.0.0.1");
});

test("ids that would lead out of a folder are no ids", () => {
  for (const id of ["..", "../x", "a/b", "a\\b", "", "a\0b", "x".repeat(65), "%2e%2e"]) {
    expect(sandboxParams.safeParse({ sandbox_id: id }).success, id).toBe(false);
  }
});
