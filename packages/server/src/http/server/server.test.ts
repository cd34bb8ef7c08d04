import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../app.ts";
import { readinessSchema, settingsSchema, settingsTestSchema } from "@atoll/protocol/schemas";
import { RunCounts } from "../../metrics/run-counts.ts";
import { readAs } from "../read-as.harness.ts";
import { makeTestServer } from "../test-server.harness.ts";

test("a server that can work is ready, and one that cannot says why", async () => {
  const ready = await makeTestServer(onTestFinished);
  const answer = await ready.ask("/readyz");
  expect([answer.status, await readAs(readinessSchema, answer)]).toEqual([
    200,
    { status: "ready", obstacles: [] },
  ]);
  const not = await makeTestServer(onTestFinished, {
    services: { findObstacles: async () => [{ name: "sandbox", message: "bubblewrap is missing" }] },
  });
  const refused = await not.ask("/readyz");
  expect(refused.status).toBe(503);
  expect((await readAs(readinessSchema, refused)).obstacles[0]?.message).toBe("bubblewrap is missing");
});

test("the figures are what Prometheus can read", async () => {
  const counts = new RunCounts();
  const server = await makeTestServer(onTestFinished, { services: { countRuns: () => counts.read() } });
  counts.note({ status: "completed" });
  await server.newThread();
  await server.ask("/threads");
  await server.ask("/thread/none-such");
  await server.ask('/"} injected 1\n');
  const text = await (await server.ask("/metrics")).text();
  const lines = text.trimEnd().split("\n");
  for (const line of lines)
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|[a-z_]+(\{(\w+="[^"\\]*",?)+\})? [-+\d.e]+)$/);
  expect(text).toContain('atoll_http_requests_total{method="GET",route="/threads",status="200"} 1');
  expect(text).toContain(
    'atoll_http_requests_total{method="GET",route="/thread/{thread_id}",status="404"} 1',
  );
  expect(text).toContain('atoll_http_request_duration_seconds_bucket{route="/threads",le="+Inf"} 1');
  expect(text).toContain('atoll_runs_total{status="completed"} 1');
  expect(text).toContain('atoll_sandboxes{owner="thread",state="cold"} 1');
});

test("settings take keys and never give them back", async () => {
  const { ask, services } = await makeTestServer(onTestFinished);
  const put = (body: unknown) =>
    ask("/settings", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const key = "sk-a-very-secret-key-1234";
  const stored = await put({ model: "openai:gpt-5.4-mini", keys: { openai: key } });
  const text = await stored.text();
  expect(text).not.toContain("very-secret");
  expect(settingsSchema.parse(JSON.parse(text))).toMatchObject({
    model: "openai:gpt-5.4-mini",
    keys: { openai: { last_four: "1234" }, google: null },
  });
  expect(services.settings.get().keys.openai).toBe(key);
  expect((await readAs(settingsSchema, put({ model: null, keys: { openai: null } }))).keys.openai).toBeNull();
  for (const wrong of [
    { base_url: "file:///etc/passwd" },
    { base_url: "nowhere" },
    { keys: { openai: "" } },
    { keys: { aws: "x" } },
    { model: 3 },
  ]) {
    expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(400);
  }
});

test("a model is tried out with one call", async () => {
  const { post, ask } = await makeTestServer(onTestFinished, {
    services: {
      checkModel: async () => ({
        isOk: false,
        code: "model_auth",
        message: "the key is wrong",
        hint: "set another",
      }),
    },
  });
  expect(await readAs(settingsTestSchema, post("/settings/test", { model: "openai:x" }))).toMatchObject({
    model: "openai:x",
    is_ok: false,
    message: "the key is wrong",
    hint: "set another",
  });
  expect((await ask("/settings/test", { method: "POST" })).status).toBe(200);
});

test("the pages below /ui know themselves from / on, and keep their own policy", async () => {
  const { services, config, ask } = await makeTestServer(onTestFinished);
  const app = createApp(services, config, {
    ui: (request) =>
      new Response(new URL(request.url).pathname, {
        headers: { "content-security-policy": "script-src 'self'" },
      }),
  });
  const page = await app.request("/ui");
  expect([await page.text(), page.headers.get("content-security-policy")]).toEqual([
    "/",
    "script-src 'self'",
  ]);
  expect(await (await app.request("/ui/app.js")).text()).toBe("/app.js");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect((await ask("/ui")).status).toBe(404);
});
