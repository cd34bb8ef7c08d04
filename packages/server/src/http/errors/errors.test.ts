import { AtollError } from "@atoll/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { errorSchema } from "@atoll/protocol/schemas";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

const json = { "content-type": "application/json" };

test.each([
  ["broken JSON", { headers: json, body: '{"message": ' }, 400, "bad_request"],
  [
    "bytes that are not UTF-8",
    { headers: json, body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) },
    400,
    "bad_request",
  ],
  ["half of a surrogate pair", { headers: json, body: '{"message": "\\ud800"}' }, 400, "bad_request"],
  ["no body", {}, 400, "invalid_argument"],
  ["a list", { headers: json, body: "[]" }, 400, "invalid_argument"],
  ["null", { headers: json, body: "null" }, 400, "invalid_argument"],
  [
    "a form",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "message=hi" },
    415,
    "unsupported_media_type",
  ],
  [
    "plain text, as a simple cross-site request may send it",
    { headers: { "content-type": "text/plain" }, body: '{"message":"hi"}' },
    415,
    "unsupported_media_type",
  ],
  ["no content type", { body: Buffer.from('{"message":"hi"}') }, 415, "unsupported_media_type"],
  [
    "more than a JSON body may hold",
    { headers: json, body: JSON.stringify({ message: "x".repeat(1_100_000) }) },
    413,
    "too_large",
  ],
])("a message as %s is refused as JSON", async (_name, init, status, code) => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const response = await ask(`/thread/${await newThread()}/message`, { method: "POST", ...init });
  const body = await readAs(errorSchema, response);
  expect([response.status, body.code]).toEqual([status, code]);
});

test.each([
  ["/nowhere", 404, "not_found"],
  ["/thread/%E0%A4%A/status", 400, "bad_request"],
  ["/threads?query=%ff", 400, "bad_request"],
  ["/thread/..%2f..%2fetc%2fpasswd/status", 404, "not_found"],
  ["/thread/%00/status", 404, "not_found"],
  [`/threads?query=${"x".repeat(9000)}`, 414, "uri_too_long"],
  ["/threads?limit=-1", 400, "invalid_argument"],
  ["/threads?limit=1e3", 400, "invalid_argument"],
  ["/threads?limit=", 400, "invalid_argument"],
  ["/thread/none/blobs/zz", 404, "not_found"],
])("%s is refused as JSON", async (path, status, code) => {
  const { ask } = await makeTestServer(onTestFinished);
  const response = await ask(path);
  expect([response.status, (await readAs(errorSchema, response)).code]).toEqual([status, code]);
});

test("a method that a path does not take is answered with those it does", async () => {
  const { ask, newThread } = await makeTestServer(onTestFinished);
  const path = `/thread/${await newThread()}`;
  const response = await ask(path, { method: "PUT" });
  expect([response.status, response.headers.get("allow")]).toEqual([
    405,
    "GET, HEAD, PATCH, DELETE, OPTIONS",
  ]);
  const options = await ask(path, { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, PATCH, DELETE, OPTIONS"]);
});

test("what nobody foresaw is logged under an id and tells nothing else", async () => {
  const logged: string[] = [];
  const { ask } = await makeTestServer(onTestFinished, {
    config: { log: (text) => logged.push(text) },
    services: { findObstacles: () => Promise.reject(new Error("secret /home/somebody/x")) },
  });
  const response = await ask("/readyz");
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toMatch(/secret|somebody|stack/);
  const id = /as (\w{12})/.exec(text)?.[1] ?? "none";
  expect(logged.join()).toContain(id);
  expect(logged.join()).toContain("secret /home/somebody/x");
});

test("a failure of the platform keeps its code and loses the host's paths", async () => {
  const { ask, config } = await makeTestServer(onTestFinished, {
    services: {
      findObstacles: () => Promise.reject(new AtollError("disk_full", `no room in ${config_().dataDir}/x`)),
    },
  });
  function config_() {
    return config;
  }
  const response = await ask("/readyz");
  expect([response.status, (await readAs(errorSchema, response)).message]).toEqual([
    507,
    "no room in (server)/x",
  ]);
});

test("every answer has the security headers, also a failure", async () => {
  const { ask } = await makeTestServer(onTestFinished);
  for (const path of ["/", "/nowhere", "/docs", "/threads?limit=x"]) {
    const { headers } = await ask(path);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect(headers.get("referrer-policy"), path).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
  }
});
