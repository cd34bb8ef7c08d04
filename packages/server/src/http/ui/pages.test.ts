import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUi } from "./pages.ts";

const script = "console.log('hello');\n".repeat(100);
let folder: string;
let ask: (path: string, headers?: Record<string, string>) => Promise<Response>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atoll-pages-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "assets/main-1a2b.js"), script);
  for (const name of ["index.html", "chart.html", "html.html"])
    await writeFile(join(folder, name), `<p>${name}</p>`);
  await writeFile(join(folder, "../outside.txt"), "secret");
  const ui = createUi(folder);
  ask = async (path, headers = {}) => ui.fetch(new Request(`http://localhost${path}`, { headers }));
});
afterAll(async () => {
  await rm(join(folder, "../outside.txt"), { force: true });
  await rm(folder, { recursive: true, force: true });
});

test("the page is asked for again each time, its parts once and for all", async () => {
  const page = await ask("/");
  expect([page.status, page.headers.get("content-type"), page.headers.get("cache-control")]).toEqual([
    200,
    "text/html; charset=utf-8",
    "no-cache",
  ]);
  expect(await page.text()).toBe("<p>index.html</p>");
  const part = await ask("/assets/main-1a2b.js");
  expect([part.headers.get("content-type"), part.headers.get("cache-control")]).toEqual([
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ]);
  expect(await part.text()).toBe(script);
});

test("who takes gzip gets it, and nobody else", async () => {
  const zipped = await ask("/assets/main-1a2b.js", { "accept-encoding": "br, gzip" });
  expect([zipped.headers.get("content-encoding"), zipped.headers.get("vary")]).toEqual([
    "gzip",
    "accept-encoding",
  ]);
  const bytes = Buffer.from(await zipped.arrayBuffer());
  expect(bytes.length).toBeLessThan(script.length / 2);
  expect(gunzipSync(bytes).toString()).toBe(script);
  const plain = await ask("/assets/main-1a2b.js", { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
});

test("who has it already is told so, without it", async () => {
  const etag = (await ask("/")).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\da-f]{16}"$/);
  const same = await ask("/", { "if-none-match": etag });
  expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
  expect((await ask("/", { "if-none-match": '"another"' })).status).toBe(200);
  expect((await ask("/chart.html")).headers.get("etag")).not.toBe(etag);
});

test.each(["/assets/none.js", "/none.html", "/../outside.txt", "/%2e%2e/outside.txt", "/assets", "/assets/"])(
  "%s is not there",
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);

test("the page's policy allows nothing inline and nothing from elsewhere", async () => {
  for (const path of ["/", "/shared", "/assets/main-1a2b.js"]) {
    const policy = readPolicy(await ask(path));
    expect(policy["default-src"], path).toBe("'none'");
    expect([policy["script-src"], policy["style-src"], policy["connect-src"]], path).toEqual([
      "'self'",
      "'self'",
      "'self'",
    ]);
    expect(policy["frame-ancestors"], path).toBe("'none'");
  }
  expect((await ask("/shared")).headers.get("x-robots-tag")).toBe("noindex");
});

test.each([
  ["/chart.html", "'self' 'unsafe-eval'", "data: blob:"],
  ["/html.html", "'self'", "data:"],
])("the frame %s has no origin, no inline script, and reaches nothing", async (path, scripts, images) => {
  const policy = readPolicy(await ask(path));
  expect(policy["sandbox"]).toBe("allow-scripts");
  expect(policy["default-src"]).toBe("'none'");
  expect([policy["script-src"], policy["img-src"], policy["frame-ancestors"]]).toEqual([
    scripts,
    images,
    "'self'",
  ]);
  expect(policy["connect-src"]).toBeUndefined();
});

test("only the parts may be read by a frame without an origin", async () => {
  expect((await ask("/assets/main-1a2b.js")).headers.get("access-control-allow-origin")).toBe("*");
  for (const path of ["/", "/chart.html"])
    expect((await ask(path)).headers.get("access-control-allow-origin"), path).toBeNull();
});

test("a live folder is read at each request, and still nothing outside of it", async () => {
  const live = createUi(folder, { isLive: true });
  const askLive = async (path: string) => live.fetch(new Request(`http://localhost${path}`));
  expect((await askLive("/new.txt")).status).toBe(404);
  await writeFile(join(folder, "new.txt"), "one");
  expect(await (await askLive("/new.txt")).text()).toBe("one");
  await writeFile(join(folder, "new.txt"), "two");
  expect(await (await askLive("/new.txt")).text()).toBe("two");
  expect((await askLive("/%2e%2e/outside.txt")).status).toBe(404);
  expect((await ask("/new.txt")).status).toBe(404);
});

test("a page that was not built says how to build it", async () => {
  const ui = createUi(join(folder, "nowhere"));
  for (const path of ["/", "/shared"]) {
    const response = await ui.fetch(new Request(`http://localhost${path}`));
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run setup")]);
  }
});

function readPolicy({ headers }: Response): Record<string, string> {
  const rules = (headers.get("content-security-policy") ?? "").split("; ").map((rule) => rule.split(" "));
  return Object.fromEntries(rules.map(([name = "", ...values]) => [name, values.join(" ")]));
}
