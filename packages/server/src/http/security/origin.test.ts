import { Hono } from "hono";
import { expect, test } from "vitest";
import type { HttpEnvironment } from "../environment.ts";
import { checkOrigin } from "./origin.ts";

/** Answers 200 to whatever gets through. */
function makeServer() {
  const app = new Hono<HttpEnvironment>();
  app.use(checkOrigin({ isHostChecked: true }));
  app.all("*", (c) => c.text("through"));
  app.onError((error, c) => c.text(error.message, 403));
  return (path: string, init: RequestInit = {}) =>
    app.request(`http://localhost:8000${path}`, {
      ...init,
      headers: { host: "localhost:8000", ...(init.headers as Record<string, string>) },
    });
}

const ask = makeServer();
/** As a frame without an origin asks. */
const foreign = { origin: "null", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };

test.each(["GET", "HEAD"])(
  "a frame without an origin may have our scripts and styles (%s)",
  async (method) => {
    for (const path of ["/ui/assets/plotly-Bq6LWHDs.js", "/ui/assets/chart-DTLhT1e-.css"]) {
      expect((await ask(path, { method, headers: foreign })).status, path).toBe(200);
      expect((await ask(path, { method, headers: { origin: "http://evil.example" } })).status, path).toBe(
        200,
      );
    }
  },
);

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])(
  "but not change anything there (%s)",
  async (method) => {
    expect((await ask("/ui/assets/chart.js", { method, headers: foreign })).status).toBe(403);
  },
);

test.each([
  "/ui",
  "/ui/",
  "/ui/chart.html",
  "/ui/assets",
  "/ui/assets/",
  "/ui/assets/a/b.js",
  "/ui/assets/..%2F..%2Fthreads",
  "/ui/assets/../../threads",
  "/ui/assetsx.js",
  "/x/ui/assets/a.js",
  "/threads",
])("and nothing else: %s", async (path) => {
  expect((await ask(path, { headers: foreign })).status).toBe(403);
  expect((await ask(path)).status).toBe(200);
});

test("a name that is not of this machine gets not even those", async () => {
  const rebound = { ...foreign, host: "evil.example" };
  expect((await ask("/ui/assets/chart.js", { headers: rebound })).status).toBe(403);
});
