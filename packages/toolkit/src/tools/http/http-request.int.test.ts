import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EgressSite, openEgressSite } from "../../../../../tests/support/egress-site/index.ts";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let site: EgressSite;
let session: TestSession;
beforeAll(async () => {
  site = await openEgressSite();
  const hosts = ["site.test", "other.test", "secret.test"];
  session = await openSession(
    {},
    {
      network: { allow: [...hosts, "closed.test"] },
      egress: {
        addresses: {
          ...Object.fromEntries(hosts.map((host) => [host, site.url])),
          "closed.test": "http://127.0.0.1:1",
        },
        credentials: [{ host: "secret.test", value: site.secret }],
      },
    },
  );
});
afterAll(async () => {
  await session?.close();
  await site?.close();
});

const call = (input: object) => session.call("http_request", input);

describe("http_request", () => {
  it("gives status, headers and body; JSON is indented and comes as data too", async () => {
    expect(await call({ url: "http://site.test/hello" })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^HTTP 200 OK\n[^]*\n\nhello$/),
      data: { status: 200, url: "http://site.test/hello", body: "hello", size_bytes: 5, is_cut: false },
    });
    expect(await call({ url: "http://site.test/packed" })).toMatchObject({
      text: expect.stringMatching(/\n\n\{\n {2}"packed": true\n\}$/),
      data: { json: { packed: true } },
    });
  });

  it("returns an error status as an answer", async () => {
    expect(await call({ url: "http://site.test/nothing" })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^HTTP 404 Not Found\n[^]*no such page/),
      data: { status: 404, json: { error: "no such page" } },
    });
  });

  it("sends methods, headers, text and JSON", async () => {
    const { data } = await call({
      url: "http://user:p%40ss@site.test/headers?q=数#part",
      method: "POST",
      headers: { "X-Own": "1", "Content-Type": "application/vnd.own+json" },
      body: { 数: [1] },
    });
    expect(data).toMatchObject({
      url: "http://site.test/headers?q=%E6%95%B0",
      json: {
        "x-own": "1",
        "content-type": "application/vnd.own+json",
        authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
      },
    });
    expect((await call({ url: "http://site.test/echo", body: { 数: [1] } })).text).toMatch(/\{"数":\[1\]\}$/);
    expect((await call({ url: "http://site.test/echo", method: "PUT", body: "文" })).text).toMatch(/文$/);
    expect(site.asked.at(-1)).toBe("PUT /echo");
    expect(await call({ url: "http://site.test/hello", method: "HEAD" })).toMatchObject({
      text: expect.stringMatching(/\(no body\)$/),
    });
  });

  it("follows redirects, and takes no secret to another host", async () => {
    const there = encodeURIComponent("http://other.test/headers");
    const { data, text } = await call({
      url: `http://site.test/to/${there}`,
      headers: { authorization: "own", "x-kept": "yes" },
    });
    expect(data).toMatchObject({ url: "http://other.test/headers", json: { "x-kept": "yes" } });
    expect((data as { json: object }).json).not.toHaveProperty("authorization");
    expect(text).toContain("[1 redirects, to http://other.test/headers]");
    expect((await call({ url: "http://site.test/loop" })).data).toMatchObject({ status: 302 });
    expect(site.asked.filter((line) => line === "GET /loop")).toHaveLength(6);
  });

  it.each([
    [
      "http://refused.test/",
      /^No answer: the network policy of this sandbox does not allow refused\.test:80\. Ask the user/,
    ],
    ["https://refused.test/", /does not allow refused\.test\. Ask the user/],
    ["http://site.test/to/http%3A%2F%2F169.254.169.254%2Flatest", /does not allow 169\.254\.169\.254:80/],
    ["http://site.test/to/file%3A%2F%2F%2Fetc%2Fpasswd", /which is no web address/],
    ["http://closed.test/", /cannot be reached/],
    ["http://localhost:1/", /localhost:1 cannot be reached/],
    ["http://site.test/broken", /the answer broke off/],
  ])("%s is no answer, and it says why", async (url, words) => {
    expect(await call({ url })).toMatchObject({ isError: true, text: expect.stringMatching(words) });
  });

  it("keeps pictures and long answers out of the conversation, and in files", async () => {
    expect((await call({ url: "http://site.test/picture" })).text).toContain(
      "[The body is no text: 3000 bytes of image/png. Give save_to to keep it.]",
    );
    expect(await call({ url: "http://site.test/large" })).toMatchObject({
      text: expect.stringContaining("Give save_to"),
      data: { is_cut: true, size_bytes: 2 * 1024 * 1024 },
    });
    expect(await call({ url: "http://site.test/large", save_to: "深/large.txt" })).toMatchObject({
      isError: false,
      text: expect.stringContaining("[3145728 bytes saved to 深/large.txt]"),
      data: { status: 200, saved_to: "深/large.txt", size_bytes: 3_145_728 },
    });
    expect((await session.sandbox.files.stat("深/large.txt")).sizeBytes).toBe(3_145_728);
    const broken = await call({ url: "http://site.test/broken", save_to: "broken" });
    expect([broken.isError, await session.sandbox.files.exists("broken")]).toEqual([true, false]);
    expect(await session.sandbox.files.exists("broken.part")).toBe(false);
    expect((await call({ url: "http://site.test/hello", save_to: "/usr/x" })).text).toMatch(
      /\/usr\/x: .*Read-only/,
    );
  });

  it("is ended when its time is up", async () => {
    expect(await call({ url: "http://site.test/silent", timeout_seconds: 0.5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("within 0.5 s"),
    });
  });

  it("lets the host add what the sandbox must not know, also to an address with https", async () => {
    expect((await call({ url: "http://site.test/simple/atoll-probe/" })).data).toMatchObject({ status: 401 });
    const { data } = await call({ url: "https://secret.test/simple/atoll-probe/" });
    expect(data).toMatchObject({ status: 200, body: expect.stringContaining(".whl") });
  });

  it("is not led astray by what lies in the workspace", async () => {
    await session.sandbox.files.write("json.py", "raise SystemExit('led astray')");
    expect((await call({ url: "http://site.test/hello" })).text).toContain("hello");
  });

  it("says that there is no network where there is none", async () => {
    await session.sandbox.setNetwork("none");
    expect(await call({ url: "http://site.test/hello" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^No answer: this sandbox has no network\. Ask the user to allow the host/),
      data: { failure: "no_network" },
    });
  });
});
